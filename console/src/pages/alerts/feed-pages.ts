import type { InfiniteData } from '@tanstack/react-query'
import type { Alert } from '../../layouts/alert/alert-status.ts'

/** `isTrimmed`: rows at the end were dropped, so `next` does not follow the last row any more. */
export type FeedPage = { items: Alert[]; next: string | undefined; isTrimmed?: boolean }
export type FeedPages = InfiniteData<FeedPage>
export type Matches = (alert: Alert) => boolean

export const pageSize = 50
/** The rows that an open feed keeps, in addition to older pages that the user loaded. */
export const keptMax = 200

/** Merges alerts of the stream (oldest first) into the list: known alerts are replaced in place, new ones go on top. */
export function mergeAlerts({ pages, pageParams }: FeedPages, alerts: readonly Alert[], matches: Matches): FeedPages {
  const changed = new Map(alerts.map((alert) => [alert.id, alert]))
  const known = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const added = [...changed.values()].filter((alert) => !known.has(alert.id) && matches(alert)).reverse()
  const replaced = pages.map((page, at) => {
    const items = page.items
      .map((item) => changed.get(item.id) ?? item)
      .filter((item) => !changed.has(item.id) || matches(item))
    return { ...page, items: at === 0 ? [...added, ...items] : items }
  })
  return { pages: trim(replaced), pageParams }
}

/**
 * Puts the first page, read again, in the place of the rows that it covers; rows that arrived since `known` was noted stay.
 * Undefined if the page does not reach the list, because more alerts are new than one page has: the caller reads all again.
 */
export function mergeFirstPage(
  { pages, pageParams }: FeedPages,
  first: FeedPage,
  known: ReadonlySet<string>,
): FeedPages | undefined {
  const rows = pages.flatMap(({ items }) => items)
  const isWhole = first.next === undefined
  const end = rows.findIndex(({ id }) => id === first.items.at(-1)?.id)
  if (end === -1 && !isWhole) return undefined
  const before = new Map(rows.map((alert) => [alert.id, alert]))
  const read = new Set(first.items.map(({ id }) => id))
  const arrived = rows.filter(({ id }) => !known.has(id) && !read.has(id))
  const top = [...arrived, ...first.items.map((alert) => newer(alert, before.get(alert.id)))]
  if (isWhole) return { pages: trim([{ ...first, items: top }]), pageParams: pageParams.slice(0, 1) }
  const covered = new Set(rows.slice(0, end + 1).map(({ id }) => id))
  const merged = pages.map((page, at) => {
    const items = page.items.filter(({ id }) => !covered.has(id) && known.has(id))
    return { ...page, items: at === 0 ? [...top, ...items] : items }
  })
  return { pages: trim(merged), pageParams }
}

/** The stream may have reported a change after the page was read. */
function newer(alert: Alert, other: Alert | undefined): Alert {
  return other && other.updatedAt > alert.updatedAt ? other : alert
}

/** Keeps the newest rows. Empty pages stay, because the number of pages is what the user loaded. */
function trim(pages: FeedPages['pages']): FeedPages['pages'] {
  let left = keptMax + pageSize * (pages.length - 1)
  return pages.map((page) => {
    const items = page.items.slice(0, left)
    left -= items.length
    return items.length < page.items.length ? { ...page, items, isTrimmed: true } : page
  })
}
