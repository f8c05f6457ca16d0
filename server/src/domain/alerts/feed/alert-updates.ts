import type { AlertRow } from '../../../store/alerts/alerts.ts'
import type { Store } from '../../../store/index.ts'

/**
 * The alerts that one account's streams have been sent: each alert once, and again when its status or retry error
 * changes.
 */
export type SentAlerts = {
  accountId: string
  /** Alerts up to this number existed before the first stream of this account was opened. */
  startSeq: bigint
  last: bigint
  sent: Map<string, SentAlert>
}
type SentAlert = { status: string; retryError: string | null; at: Date }

const batchMax = 200
/**
 * A sequence number is assigned before its row is visible, so the feed reads the last few again. The same holds for
 * times.
 */
const overlap = 500n
const overlapMs = 60_000
/** How many alerts of all accounts together are checked again for changes. */
const watchedMax = 10_000

export async function readSentAlerts(store: Store, accountId: string): Promise<SentAlerts> {
  const startSeq = BigInt(await store.alerts.findLastSeq(accountId))
  const { rows } = await store.alerts.list(accountId, {}, { limit: batchMax, after: String(startSeq + 1n) })
  const sent = new Map(rows.map((row): [string, SentAlert] => [row.id, sentAlertOf(row)]))
  return { accountId, startSeq, last: startSeq, sent }
}

/** `isWhole` is false if there is more to read. */
export type AccountUpdates = { rows: AlertRow[]; isWhole: boolean }
/** All commits that the snapshot sees are in these and earlier updates. */
export type AlertUpdates = { snapshot: string; of(accountId: string): AccountUpdates }

/** The new and changed alerts of each account, by its id. At most six statements for any number of accounts. */
export async function readAlertUpdates(store: Store, accounts: readonly SentAlerts[]): Promise<AlertUpdates> {
  const { snapshot, isExact } = await store.alertFeed.readSnapshot()
  const after = accounts.map((account) => ({ accountId: account.accountId, seq: String(positionOf(account)) }))
  const limitEach = batchMax + Number(overlap)
  const made = await store.alertFeed.listNew(after, limitEach)
  const changed = await store.alerts.listChanged(watchedAlerts(accounts))
  const seen = [
    ...made,
    ...(await store.alertFeed.listViewers(
      changed.map(({ id }) => id),
      accounts.map(({ accountId }) => accountId),
    )),
  ]
  const byAccount = new Map(accounts.map((account) => [account.accountId, account]))
  const known = new Map(changed.map((row) => [row.id, row]))
  const unknown = seen.filter(({ viewer, id }) => !known.has(id) && !byAccount.get(viewer)?.sent.has(id))
  for (const row of await store.alerts.listByIds([...new Set(unknown.map(({ id }) => id))])) known.set(row.id, row)
  // What was committed after the snapshot is left to the next read: the position of this read does not cover it.
  if (isExact) for (const id of await store.alertFeed.listWrittenAfter([...known.keys()], snapshot)) known.delete(id)
  const ids = Map.groupBy(seen, ({ viewer }) => viewer)
  const newIds = Map.groupBy(made, ({ viewer }) => viewer)
  const updates = new Map(
    accounts.map((account) => {
      const rows = updatesOf(account, ids.get(account.accountId) ?? [], known)
      return [account.accountId, { rows, isWhole: (newIds.get(account.accountId)?.length ?? 0) < limitEach }]
    }),
  )
  return { snapshot, of: (accountId) => updates.get(accountId) ?? { rows: [], isWhole: false } }
}

function updatesOf(account: SentAlerts, seen: readonly { id: string }[], rows: ReadonlyMap<string, AlertRow>) {
  const { sent } = account
  const updates = [...new Set(seen.map(({ id }) => id))]
    .flatMap((id) => rows.get(id) ?? [])
    .filter((row) => isUpdate(row, sent.get(row.id)))
    .sort((a, b) => (BigInt(a.seq) < BigInt(b.seq) ? -1 : 1))
  for (const row of updates) {
    sent.set(row.id, sentAlertOf(row))
    if (BigInt(row.seq) > account.last) account.last = BigInt(row.seq)
  }
  const surplus = sent.size - 2 * batchMax - Number(overlap)
  for (const id of [...sent.keys()].slice(0, Math.max(0, surplus))) sent.delete(id)
  return updates
}

/** A first failure of a delivery is an update; a repeat of the same failure is not. */
function isUpdate({ status, retry_error }: AlertRow, sent: SentAlert | undefined): boolean {
  return sent?.status !== status || sent.retryError !== retry_error
}

function positionOf({ startSeq, last }: SentAlerts): bigint {
  return last - overlap < startSeq ? startSeq : last - overlap
}

/** The newest alerts of each account. With many accounts, fewer of each. */
function watchedAlerts(accounts: readonly SentAlerts[]): { id: string; at: Date }[] {
  const each = Math.max(20, Math.floor(watchedMax / accounts.length))
  const known = new Map<string, Date>()
  for (const { sent } of accounts) {
    const latestMs = Math.max(0, ...[...sent.values()].map(({ at }) => at.getTime()))
    const since = new Date(latestMs - overlapMs)
    for (const id of [...sent.keys()].slice(-each)) {
      const other = known.get(id)
      known.set(id, other && other < since ? other : since)
    }
  }
  return [...known].map(([id, at]) => ({ id, at }))
}

function sentAlertOf({ status, retry_error, updated_at }: AlertRow): SentAlert {
  return { status, retryError: retry_error, at: updated_at }
}
