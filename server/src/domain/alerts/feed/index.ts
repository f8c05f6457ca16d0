/**
 * One feed for all streams of a process. It reads the store once a second with a fixed number of statements and passes
 * updates to the streams of each account. It pauses while no stream is open. It checks access on every read, so an account
 * that loses a role gets nothing more.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { StreamEvent } from '@tocsin/contract'
import type { PlainAlertRow } from '../../../store/alerts/alerts.ts'
import type { Store } from '../../../store/index.ts'
import { Refusal } from '../../refusal.ts'
import type { StreamLimits } from '../../settings.ts'
import { alertView } from '../views.ts'
import { readAlertUpdates, readSentAlerts, type SentAlerts } from './alert-updates.ts'
import { type EventQueue, makeEventQueue } from './event-queue.ts'
import { readSourceUpdates, type SourceUpdates } from './source-updates.ts'

export type StreamFeed = {
  /**
   * Opens a stream of new events, for one workspace if it is named. Refuses more streams than the account or the
   * workspace may have.
   */
  open(accountId: string, workspaceId: string | undefined): Promise<OpenStream>
}
/** The caller must follow the stream at once; the signal closes it. */
export type OpenStream = { follow(signal: AbortSignal): AsyncIterable<StreamEvent> }

type Stream = { queue: EventQueue; workspaceId: string | undefined; hasSources: boolean }
type Watcher = SentAlerts & { streams: Set<Stream>; workspaces: Set<string> }

const everyMs = 1_000

/** Runs work that only reads, on the primary or a replica. */
type Read = <T>(work: (store: Store) => Promise<T>) => Promise<T>

export function makeStreamFeed(read: Read, limits: StreamLimits, warn: (error: Error) => void): StreamFeed {
  const watchers = new Map<string, Watcher>()
  const before = new Map<string, string>()
  let isPolling = false

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    while (watchers.size > 0) {
      // News that could not be read now is read in the next round.
      await sendUpdates(read, [...watchers.values()], before).catch((error: Error) => watchers.size > 0 && warn(error))
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
    async open(accountId, workspaceId) {
      requireRoom(watchers, accountId, workspaceId, limits)
      const startSeq = watchers.get(accountId) ?? (await read((store) => readSentAlerts(store, accountId)))
      const stream = { queue: makeEventQueue(), workspaceId, hasSources: false }
      const leave = join(accountId, startSeq, stream)
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
  for (const { accountId, streams } of watchers)
    for (const stream of streams) stream.queue.push(alertEvents(stream, alerts.get(accountId) ?? []))
  const accountIds = watchers.map(({ accountId }) => accountId)
  const sources = await read((store) => readSourceUpdates(store, accountIds, before))
  for (const watcher of watchers) {
    const joined = sources.workspaces.get(watcher.accountId) ?? new Set()
    for (const stream of watcher.streams) {
      stream.queue.push(sourceEvents(stream, { joined, before: watcher.workspaces }, sources))
      stream.hasSources = true
    }
    watcher.workspaces = joined
  }
}

function alertEvents({ workspaceId }: Stream, updates: PlainAlertRow[]): StreamEvent[] {
  return updates
    .filter((row) => workspaceId === undefined || row.workspace_id === workspaceId)
    .map((row) => ({ event: 'alert', data: alertView(row) }))
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
