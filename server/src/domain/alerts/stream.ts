import { setTimeout as pause } from 'node:timers/promises'
import type { StreamEvent } from '@tocsin/contract'
import type { AlertRow } from '../../store/alerts.ts'
import type { Store } from '../../store/index.ts'
import { requireMember } from '../access.ts'
import { Events } from '../answers.ts'
import type { Account, Handler } from '../handler.ts'
import { alertView } from './views.ts'

const everyMs = 1_000
const batchMax = 200
/** Counters are given out before their rows can be seen, so a few are looked at again; and so are times. */
const overlap = 500n
const overlapMs = 60_000

type Event = StreamEvent
type Watch = { store: Store; account: Account; workspaceId: string | undefined }

/** From now on: what happened before is in the lists. Whoever loses his rights hears nothing more. */
export const streamEvents: Handler<'streamEvents'> = async ({ account, query, store }) => {
  const workspaceId =
    query.workspace === undefined ? undefined : (await requireMember(store, account, query.workspace)).id
  const watch = { store, account, workspaceId }
  return new Events((signal) => follow(watch, signal))
}

async function* follow(watch: Watch, signal: AbortSignal): AsyncIterable<Event> {
  const alerts = await watchAlerts(watch)
  const sources = watchSources(watch)
  while (!signal.aborted) {
    yield* await alerts()
    yield* await sources()
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

/** New alerts, and those made or told of before that have come further. */
async function watchAlerts({ store, account, workspaceId }: Watch): Promise<() => Promise<Event[]>> {
  const begun = BigInt(await store.alerts.lastSeq(account.id))
  let last = begun
  const { rows: recent } = await store.alerts.list(account.id, {}, { limit: batchMax, after: String(begun + 1n) })
  const told = new Map<string, AlertRow>(recent.map((row) => [row.id, row]))
  return async () => {
    const from = last - overlap < begun ? begun : last - overlap
    const made = await store.alerts.listSince(account.id, String(from), batchMax + Number(overlap))
    const changedMs = Math.max(0, ...[...told.values()].map((row) => row.updated_at.getTime()))
    const again = await store.alerts.listChanged(account.id, [...told.keys()], new Date(changedMs - overlapMs))
    const news = [...made, ...again].filter((row) => told.get(row.id)?.status !== row.status)
    for (const row of news) {
      told.set(row.id, row)
      if (BigInt(row.seq) > last) last = BigInt(row.seq)
    }
    for (const id of [...told.keys()].slice(0, Math.max(0, told.size - 2 * batchMax - Number(overlap)))) told.delete(id)
    return news
      .filter((row) => workspaceId === undefined || row.workspace_id === workspaceId)
      .map((row) => ({ event: 'alert', data: alertView(row) }))
  }
}

function watchSources({ store, account, workspaceId }: Watch): () => Promise<Event[]> {
  const told = new Map<string, string>()
  return async () => {
    const rows = await store.customSources.listAllReadable(account.id)
    const events = rows
      .filter((row) => workspaceId === undefined || row.workspace_id === workspaceId)
      .map(({ fullname, status, runtime }) => ({
        fullname,
        status: status.status,
        ...(status.message !== undefined && { message: status.message }),
        ...(runtime?.latestBlock !== undefined && { latestBlock: runtime.latestBlock }),
        ...(runtime?.processedBlock !== undefined && { processedBlock: runtime.processedBlock }),
        ...(runtime?.lag !== undefined && { lag: runtime.lag }),
        updatedAt: status.updatedAt,
      }))
    return events.flatMap((data): Event[] => {
      if (told.get(data.fullname) === JSON.stringify(data)) return []
      told.set(data.fullname, JSON.stringify(data))
      return [{ event: 'source', data }]
    })
  }
}
