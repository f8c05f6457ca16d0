import { randomUUID } from 'node:crypto'
import { type RouteName, scopeNames } from '@tocsin/contract'
import type { FastifyRequest } from 'fastify'
import type { Access } from '../domain/handler.ts'
import { Refusal } from '../domain/refusal.ts'
import type { KeyedRequest } from '../store/identity/idempotency-keys.ts'
import type { Store } from '../store/index.ts'
import type { HttpReply } from './http-reply.ts'

const keepMs = 24 * 3_600_000
/** A claim is renewed while its call runs, so it outlives a dead process by at most this time. */
const claimMs = 60_000
const renewEveryMs = 20_000

/** Beyond these limits a reply is not kept: a repeat of the request gets `reply_not_kept`. */
const replyBytesMax = 256 * 1024
const accountBytesMax = 64 * 1024 * 1024
/** The keys that an account can use within 24 hours. */
const accountKeysMax = 20_000

export type Keyed = { store: Store; request: KeyedRequest; clock: () => Date }

/**
 * The effect of a request and its kept reply are one commit, so a repeat after a crash finds both or neither. A repeat
 * during the first call waits for it.
 */
export async function onceInTransaction(keyed: Keyed, run: (store: Store) => Promise<HttpReply>): Promise<HttpReply> {
  const { request, clock } = keyed
  const now = clock()
  await forgetOld(keyed, now)
  return keyed.store.tx(async (store) => {
    if (!(await store.idempotencyKeys.claim(request, now))) return keptReply(store, request)
    const bytesMax = await requireRoom(store, request)
    const reply = await run(store)
    await store.idempotencyKeys.keep(request, reply, { claimId: null, bytesMax })
    return reply
  })
}

/**
 * For a request that uses the network: three short statements and no transaction, so that a slow remote server holds no
 * database connection. It claims the key, runs, and keeps the reply. A repeat in between gets `in_progress`.
 */
export async function onceWithClaim(keyed: Keyed, run: () => Promise<HttpReply>): Promise<HttpReply> {
  const { store, request, clock } = keyed
  const now = clock()
  await forgetOld(keyed, now)
  const id = randomUUID()
  if (!(await store.idempotencyKeys.claimUntil(request, { id, until: claimEnd(now) }, now)))
    return keptReply(store, request)
  const renewal = setInterval(() => void renew(keyed, id), renewEveryMs)
  try {
    const bytesMax = await requireRoom(store, request)
    const reply = await run()
    await store.idempotencyKeys.keep(request, reply, { claimId: id, bytesMax })
    return reply
  } catch (error) {
    await store.idempotencyKeys.release(request, id)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** A failed renewal is retried at the next interval. If the claim expires before that, a repeat can run. */
async function renew({ store, request, clock }: Keyed, id: string): Promise<void> {
  await store.idempotencyKeys.extend(request, { id, until: claimEnd(clock()) }).catch(() => undefined)
}

function claimEnd(now: Date): Date {
  return new Date(now.getTime() + claimMs)
}

async function forgetOld({ store, request }: Keyed, now: Date): Promise<void> {
  if (request.key.length > 255) throw new Refusal('invalid_query', 'An Idempotency-Key has at most 255 characters.')
  await store.idempotencyKeys.forget(request, new Date(now.getTime() - keepMs))
}

/** Returns how large the reply may be to be kept. Called after the claim, so that repeats are not counted. */
async function requireRoom(store: Store, { accountId }: KeyedRequest): Promise<number> {
  const { keys, bytes } = await store.idempotencyKeys.summarize(accountId)
  if (keys > accountKeysMax) {
    const message = `An account can use ${accountKeysMax} Idempotency-Keys within 24 hours.`
    throw new Refusal('limit_reached', message, { limit: accountKeysMax, used: keys - 1 })
  }
  return Math.min(replyBytesMax, accountBytesMax - bytes)
}

async function keptReply(store: Store, request: KeyedRequest): Promise<HttpReply> {
  const use = await store.idempotencyKeys.find(request)
  if (use.kind === 'other request') throw new Refusal('idempotency_mismatch')
  if (use.kind === 'not kept') throw new Refusal('reply_not_kept')
  if (use.kind === 'running') throw new Refusal('in_progress')
  return use.reply
}

/**
 * The keys of a caller. Callers with other rights have keys of their own: a kept reply can show a secret that only its
 * first caller may have. `route` and `params` are a part, so that a key can be used once for each path.
 */
export function keyScopeOf(name: RouteName, params: unknown, { scopes, workspace, expiresAt }: Access): string {
  const isLimited =
    workspace !== undefined || expiresAt !== undefined || scopeNames.some((each) => !scopes.includes(each))
  const rights = [workspace?.id ?? '*', expiresAt?.toISOString() ?? 'forever', [...scopes].sort().join()]
  return [name, JSON.stringify(params), ...(isLimited ? rights : [])].join(' ')
}

/** The method, the path and the hash of the body: what a repeat must have in common with the first request. */
export function keyContentOf({ method, url, bodyHash }: FastifyRequest): string {
  return `${method} ${url} ${bodyHash ?? ''}`
}
