import type { PlainAlertRow } from '../../../store/alerts/alerts.ts'
import type { Store } from '../../../store/index.ts'

/**
 * The alerts that one account's streams have been sent: each alert once, and again when its status or retry error
 * changes.
 */
export type AlertsTold = {
  accountId: string
  /** Alerts up to this number existed before the first stream of this account was opened. */
  begun: bigint
  last: bigint
  told: Map<string, Told>
}
type Told = { status: string; retryError: string | null; at: Date }

const batchMax = 200
/**
 * A sequence number is assigned before its row is visible, so the feed reads the last few again. The same holds for
 * times.
 */
const overlap = 500n
const overlapMs = 60_000
/** How many alerts of all accounts together are checked again for changes. */
const watchedMax = 10_000

export async function beginAlerts(store: Store, accountId: string): Promise<AlertsTold> {
  const begun = BigInt(await store.alerts.findLastSeq(accountId))
  const { rows } = await store.alerts.list(accountId, {}, { limit: batchMax, after: String(begun + 1n) })
  const told = new Map(rows.map((row): [string, Told] => [row.id, toldOf(row)]))
  return { accountId, begun, last: begun, told }
}

/** The new and changed alerts of each account, by its id. At most four statements for any number of accounts. */
export async function readAlertNews(
  store: Store,
  accounts: readonly AlertsTold[],
): Promise<Map<string, PlainAlertRow[]>> {
  const after = accounts.map((account) => ({ accountId: account.accountId, seq: String(positionOf(account)) }))
  const made = await store.alertFeed.listNew(after, batchMax + Number(overlap))
  const changed = await store.alerts.listChanged(watched(accounts))
  const seen = [
    ...made,
    ...(await store.alertFeed.listViewers(
      changed.map(({ id }) => id),
      accounts.map(({ accountId }) => accountId),
    )),
  ]
  const byAccount = new Map(accounts.map((account) => [account.accountId, account]))
  const known = new Map(changed.map((row) => [row.id, row]))
  const unknown = seen.filter(({ viewer, id }) => !known.has(id) && !byAccount.get(viewer)?.told.has(id))
  for (const row of await store.alerts.listByIds([...new Set(unknown.map(({ id }) => id))])) known.set(row.id, row)
  const ids = Map.groupBy(seen, ({ viewer }) => viewer)
  return new Map(
    accounts.map((account) => [account.accountId, newsOf(account, ids.get(account.accountId) ?? [], known)]),
  )
}

function newsOf(account: AlertsTold, seen: readonly { id: string }[], rows: ReadonlyMap<string, PlainAlertRow>) {
  const { told } = account
  const news = [...new Set(seen.map(({ id }) => id))]
    .flatMap((id) => rows.get(id) ?? [])
    .filter((row) => isNews(row, told.get(row.id)))
    .sort((a, b) => (BigInt(a.seq) < BigInt(b.seq) ? -1 : 1))
  for (const row of news) {
    told.set(row.id, toldOf(row))
    if (BigInt(row.seq) > account.last) account.last = BigInt(row.seq)
  }
  const surplus = told.size - 2 * batchMax - Number(overlap)
  for (const id of [...told.keys()].slice(0, Math.max(0, surplus))) told.delete(id)
  return news
}

/** A first failure of a delivery is news; a repeat of the same failure is not. */
function isNews({ status, retry_error }: PlainAlertRow, told: Told | undefined): boolean {
  return told?.status !== status || told.retryError !== retry_error
}

function positionOf({ begun, last }: AlertsTold): bigint {
  return last - overlap < begun ? begun : last - overlap
}

/** The newest alerts of each account. With many accounts, fewer of each. */
function watched(accounts: readonly AlertsTold[]): { id: string; at: Date }[] {
  const each = Math.max(20, Math.floor(watchedMax / accounts.length))
  const known = new Map<string, Date>()
  for (const { told } of accounts) {
    const latestMs = Math.max(0, ...[...told.values()].map(({ at }) => at.getTime()))
    const since = new Date(latestMs - overlapMs)
    for (const id of [...told.keys()].slice(-each)) {
      const other = known.get(id)
      known.set(id, other && other < since ? other : since)
    }
  }
  return [...known].map(([id, at]) => ({ id, at }))
}

function toldOf({ status, retry_error, updated_at }: PlainAlertRow): Told {
  return { status, retryError: retry_error, at: updated_at }
}
