import type { InfiniteData } from '@tanstack/react-query'
import type { Alert } from '../../layouts/alert/alert-status.ts'

/** `isTrimmed`: rows at the end were dropped, so `next` does not follow the last row any more. */
export type FeedPages = InfiniteData<{ items: Alert[]; next: string | undefined; isTrimmed?: boolean }>
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

/** Keeps the newest rows. Empty pages stay, because the number of pages is what the user loaded. */
function trim(pages: FeedPages['pages']): FeedPages['pages'] {
  let left = keptMax + pageSize * (pages.length - 1)
  return pages.map((page) => {
    const items = page.items.slice(0, left)
    left -= items.length
    return items.length < page.items.length ? { ...page, items, isTrimmed: true } : page
  })
}
