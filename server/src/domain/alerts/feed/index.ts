/**
 * One feed for all streams of a process. It reads the store once a second with a fixed number of statements and passes
 * updates to the streams of each account. It pauses while no stream is open. It checks access on every read, so an account
 * that loses a role gets nothing more.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { StreamEvent } from '@tocsin/contract'
import type { SourceToFollow } from '../../../store/following/custom-sources.ts'
import type { Store } from '../../../store/index.ts'
import { Refusal } from '../../refusal.ts'
import type { StreamLimits } from '../../settings.ts'
import { readAlertUpdates, readSentAlerts, type SentAlerts } from './alert-updates.ts'
import { type FeedEvent, makeEventQueue } from './event-queue.ts'
import { positionText, wholePosition } from './position.ts'
import { type Read, resume, type Stream, sendAlerts, sendFirstAlerts } from './stream.ts'

export type StreamFeed = {
  /**
   * Opens a stream of new events, for one workspace if it is named. With the id of an event, the alerts after it come
   * first. Refuses more streams than the account or the workspace may have.
   */
  open(accountId: string, workspaceId: string | undefined, lastEventId: string | undefined): Promise<OpenStream>
}
/** The caller must follow the stream at once; the signal closes it. */
export type OpenStream = { follow(signal: AbortSignal): AsyncIterable<FeedEvent> }

type Watcher = SentAlerts & { streams: Set<Stream>; workspaces: Set<string> }

const everyMs = 1_000

export function makeStreamFeed(read: Read, limits: StreamLimits, warn: (error: Error) => void): StreamFeed {
  const watchers = new Map<string, Watcher>()
  const before = new Map<string, string>()
  const turns = makePollTurns()
  let isPolling = false

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    while (watchers.size > 0) {
      // News that could not be read now is read in the next round.
      await turns
        .poll(() => sendUpdates(read, [...watchers.values()], before))
        .catch((error: Error) => watchers.size > 0 && warn(error))
      await pause(everyMs)
    }
    before.clear()
    isPolling = false
  }

  function join(accountId: string, startSeq: SentAlerts, stream: Stream): () => void {
    const watcher = watchers.get(accountId) ?? { ...startSeq, streams: new Set(), workspaces: new Set() }
    requireRoom(watchers, accountId, stream.workspaceId, limits)
    watchers.set(accountId, watcher)
    watcher.streams.add(stream)
    void poll()
    return () => {
      stream.queue.end()
      watcher.streams.delete(stream)
      if (watcher.streams.size === 0 && watchers.get(accountId) === watcher) watchers.delete(accountId)
    }
  }

  return {
    async open(accountId, workspaceId, lastEventId) {
      requireRoom(watchers, accountId, workspaceId, limits)
      // Before the alerts: what is committed in between is after this position.
      const { snapshot } = await read((store) => store.alertFeed.readSnapshot())
      const startSeq = watchers.get(accountId) ?? (await read((store) => readSentAlerts(store, accountId)))
      const stream: Stream = { queue: makeEventQueue(), workspaceId, hasSources: false, snapshot, isNew: true }
      if (lastEventId === undefined) stream.queue.push([{ id: positionText(wholePosition(snapshot)) }])
      const leave = await turns.betweenPolls(async () => {
        if (lastEventId !== undefined) await resume(read, accountId, stream, lastEventId)
        return join(accountId, startSeq, stream)
      })
      return {
        follow(signal) {
          if (signal.aborted) leave()
          signal.addEventListener('abort', leave, { once: true })
          return stream.queue.read()
        },
      }
    },
  }
}

function requireRoom(
  watchers: ReadonlyMap<string, Watcher>,
  accountId: string,
  workspaceId: string | undefined,
  { perAccount, perWorkspace }: StreamLimits,
): void {
  refuseBeyond(perAccount, watchers.get(accountId)?.streams.size ?? 0, 'An account holds')
  if (workspaceId === undefined) return
  const all = [...watchers.values()].flatMap(({ streams }) => [...streams])
  refuseBeyond(perWorkspace, all.filter((stream) => stream.workspaceId === workspaceId).length, 'A workspace has')
}

function refuseBeyond(limit: number, used: number, whoHas: string): void {
  if (used >= limit)
    throw new Refusal('limit_reached', `${whoHas} at most ${limit} streams open at once.`, { limit, used })
}

/** Sends what one read returned before the next read, because a read remembers what it returned and the next may fail. */
async function sendUpdates(read: Read, watchers: Watcher[], before: Map<string, string>): Promise<void> {
  const alerts = await read((store) => readAlertUpdates(store, watchers))
  const open = watchers.flatMap(({ accountId, streams }) => [...streams].map((stream) => ({ accountId, stream })))
  const added = open.filter(({ stream }) => stream.isNew)
  for (const { accountId, stream } of open) if (!stream.isNew) sendAlerts(stream, alerts.snapshot, alerts.of(accountId))
  for (const { accountId, stream } of added) await sendFirstAlerts(read, stream, alerts.snapshot, alerts.of(accountId))
  const accountIds = watchers.map(({ accountId }) => accountId)
  const sources = await read((store) => readSourceUpdates(store, accountIds, before))
  for (const watcher of watchers) {
    const joined = sources.workspaces.get(watcher.accountId) ?? new Set()
    for (const stream of watcher.streams) {
      const events = sourceEvents(stream, { joined, before: watcher.workspaces }, sources)
      // Alerts that are still to be read come before the position of the snapshot.
      const isWhole = stream.snapshot === alerts.snapshot
      const id = positionText(wholePosition(stream.snapshot))
      stream.queue.push(isWhole ? events.map((event) => ({ ...event, id })) : events)
      stream.hasSources = true
    }
    watcher.workspaces = joined
  }
}

/** At first, and for a workspace that the account joined: all sources it sees. Later: the changed ones. */
function sourceEvents(
  { workspaceId: wanted, hasSources }: Stream,
  account: { joined: Set<string>; before: Set<string> },
  { all, changed }: SourceUpdates,
): StreamEvent[] {
  return all
    .filter(({ workspaceId }) => wanted === undefined || workspaceId === wanted)
    .filter(({ workspaceId, isPublic }) => isPublic || account.joined.has(workspaceId))
    .filter((source) => {
      const isNew = !source.isPublic && !account.before.has(source.workspaceId)
      return !hasSources || isNew || changed.has(source)
    })
    .map(({ event }) => event)
}

/** Polls run alone; other reads run beside each other between two polls. */
type PollTurns = {
  poll(work: () => Promise<void>): Promise<void>
  betweenPolls<T>(work: () => Promise<T>): Promise<T>
}

function makePollTurns(): PollTurns {
  const reads = new Set<Promise<unknown>>()
  let polling: Promise<void> | undefined
  return {
    async poll(work) {
      while (reads.size > 0) await Promise.allSettled(reads)
      polling = work().finally(() => {
        polling = undefined
      })
      await polling
    },
    async betweenPolls(work) {
      while (polling) await polling.catch(() => undefined)
      const read = work()
      reads.add(read)
      return read.finally(() => reads.delete(read))
    },
  }
}

type SourceEvent = { workspaceId: string; isPublic: boolean; event: StreamEvent; key: string }
type SourceUpdates = {
  all: SourceEvent[]
  /** The sources that changed since the last read. */
  changed: Set<SourceEvent>
  /** The workspaces of each account with an open stream. */
  workspaces: Map<string, Set<string>>
}

/** Two statements for any number of accounts and sources. `before` holds the last known state of each source. */
async function readSourceUpdates(
  store: Store,
  accountIds: readonly string[],
  before: Map<string, string>,
): Promise<SourceUpdates> {
  const all = (await store.customSources.listAll()).map(eventOf)
  const members = await store.members.listOf(accountIds)
  // From here on nothing can fail, so no change is remembered that is not returned.
  const changed = new Set(all.filter(({ event, key }) => before.get(nameOf(event)) !== key))
  before.clear()
  for (const { event, key } of all) before.set(nameOf(event), key)
  const workspaces = new Map(accountIds.map((id) => [id, new Set<string>()]))
  for (const { account_id, workspace_id } of members) workspaces.get(account_id)?.add(workspace_id)
  return { all, changed, workspaces }
}

function nameOf({ data }: SourceEvent['event']): string {
  return 'fullname' in data ? data.fullname : ''
}

function eventOf({ fullname, status, runtime, workspace_id, public: isPublic }: SourceToFollow): SourceEvent {
  const data = {
    fullname,
    status: status.status,
    ...(status.message !== undefined && { message: status.message }),
    ...(runtime?.latestBlock !== undefined && { latestBlock: runtime.latestBlock }),
    ...(runtime?.processedBlock !== undefined && { processedBlock: runtime.processedBlock }),
    ...(runtime?.lag !== undefined && { lag: runtime.lag }),
    updatedAt: status.updatedAt,
  }
  return {
    workspaceId: workspace_id,
    isPublic,
    event: { event: 'source', data },
    key: JSON.stringify([isPublic, data]),
  }
}
