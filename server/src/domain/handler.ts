import type { Body, Params, Query, Reply, RouteName, Routes, Scope } from '@tocsin/contract'
import type { Engine } from '../engine/engine.ts'
import type { SourceEvent } from '../engine/sources/source-event.ts'
import type { Store } from '../store/index.ts'
import type { StreamFeed } from './alerts/feed/index.ts'
import type { BytesPage, Events, Page, Picture, Preconditions, Tagged } from './answers.ts'
import type { Attempts } from './attempts.ts'
import type { Settings } from './settings.ts'
import type { TestLimits } from './test-limits.ts'
import type { BacktestJobs } from './triggers/backtest/jobs.ts'

/**
 * Publishes an event of a source under an id to the triggers that listen to it. Returns how many subscriptions and
 * resources it reached.
 */
export type PublishSourceEvent = (
  store: Store,
  event: SourceEvent,
  id: string,
) => Promise<{ matched: number; delivered: number }>

/**
 * A visit of a browser to the identity provider, and the page to open afterwards. With `linkTo` the visit links the person at the
 * provider to this account, if the session that asked for it still lives; nobody signs in.
 */
export type Visit = { next: string; linkTo?: { accountId: string; tokenId: string } }
/** Returns the address at the provider, and the state for the browser's cookie. */
export type BeginVisit = (store: Store, visit: Visit, now: Date) => Promise<{ url: string; state: string }>

/** The calling account. */
export type Account = { id: string; email: string; name: string; createdAt: Date }

/** What the caller's token allows. `expiresAt` is set if the token is a personal one that expires. */
export type Access = {
  scopes: readonly Scope[]
  /** The only workspace that the token may see and change. */
  workspace?: { id: string; fullname: string }
  expiresAt?: Date
}

/** Everything that a handler may use: the caller, the request, the store, the clock. Nothing of HTTP. */
export type Context<Name extends RouteName> = {
  account: Routes[Name]['auth'] extends 'account' ? Account : undefined
  /** The id of the caller's token, unless the token comes from the identity provider. */
  tokenId: string | undefined
  access: Routes[Name]['auth'] extends 'account' ? Access : undefined
  /** The caller's IP address, used to slow down guesses: of an IPv6 address only the network. */
  address: string
  /** The caller's IP address, for the audit log. */
  ip: string
  /** Where the request comes from, to show it with the session that it starts. */
  caller: { ip: string; userAgent: string }
  attempts: Attempts
  testLimits: TestLimits
  backtests: BacktestJobs
  streams: StreamFeed
  engine: Engine
  /** Begins a visit at the identity provider; undefined if the operator has set up none. */
  beginVisit: BeginVisit | undefined
  publishSourceEvent: PublishSourceEvent
  params: Params<Routes[Name]>
  query: Query<Routes[Name]>
  body: Body<Routes[Name]>
  preconditions: Preconditions
  /** The header `Last-Event-ID` of a stream that is resumed. */
  lastEventId: string | undefined
  store: Store
  now: Date
  settings: Settings
}

type Single<Name extends RouteName> = Routes[Name]['reply'] extends 'picture'
  ? Picture
  : Routes[Name]['reply'] extends 'empty'
    ? undefined
    : Reply<Routes[Name]> | Tagged<Reply<Routes[Name]>>

export type Answer<Name extends RouteName> = Routes[Name] extends { events: string }
  ? Events
  : Routes[Name] extends { list: true }
    ? Page<Reply<Routes[Name]> extends (infer Item)[] ? Item : never> | (Name extends 'listAlerts' ? BytesPage : never)
    : Single<Name>

export type Handler<Name extends RouteName> = (context: Context<Name>) => Promise<Answer<Name>>
