import type { InfiniteData } from '@tanstack/react-query'
import type { Alert } from './alert-status.ts'

/** `isCut`: rows at the end were dropped, so `next` no longer follows the last row that is shown. */
export type FeedPages = InfiniteData<{ items: Alert[]; next: string | undefined; isCut?: boolean }>
export type Fits = (alert: Alert) => boolean

export const pageSize = 50
/** Rows that an open feed keeps, beside the older pages that the reader asked for. */
export const keptMax = 200

/** Puts alerts of the stream into the list, oldest first: a known one is replaced in place, a new one goes on top. */
export function placeAll({ pages, pageParams }: FeedPages, alerts: readonly Alert[], fits: Fits): FeedPages {
  const changed = new Map(alerts.map((alert) => [alert.id, alert]))
  const known = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const added = [...changed.values()].filter((alert) => !known.has(alert.id) && fits(alert)).reverse()
  const replaced = pages.map((page, at) => {
    const items = page.items
      .map((item) => changed.get(item.id) ?? item)
      .filter((item) => !changed.has(item.id) || fits(item))
    return { ...page, items: at === 0 ? [...added, ...items] : items }
  })
  return { pages: cut(replaced), pageParams }
}

/** Keeps the newest rows. Pages stay, even empty ones: their number says how much the reader asked for. */
function cut(pages: FeedPages['pages']): FeedPages['pages'] {
  let left = keptMax + pageSize * (pages.length - 1)
  return pages.map((page) => {
    const items = page.items.slice(0, left)
    left -= items.length
    return items.length < page.items.length ? { ...page, items, isCut: true } : page
  })
}
