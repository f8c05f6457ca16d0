import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type List, readPage, useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { keyOf } from '../../data/queries.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Alert } from '../../layouts/alert/alert-status.ts'
import { type FeedPages, keptMax, mergeAlerts, mergeFirstPage, pageSize } from './feed-pages.ts'
import { type AlertFilters, matchesFilters, ranges } from './filters.ts'

/** The stream does not report every change of older alerts, so the first page is also polled. */
const pollMs = 30_000
/** Alerts of one interval are rendered together. */
const batchMs = 250

/** The alerts that match the filters, newest first. Alerts of the stream are merged without a refetch. */
export function useFeed(workspace: string, filters: AlertFilters) {
  const args = { query: { workspace, limit: String(pageSize), ...useQueryOf(filters) } }
  const queryKey = [...keyOf('listAlerts', args), 'list']
  const list = useApiList('listAlerts', args)
  useFirstPage(args, queryKey, list)
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set())
  const add = useBatches((alerts) => {
    const listed = new Set(list.items.map(({ id }) => id))
    const added = alerts.flatMap(({ id }) => (listed.has(id) ? [] : [id]))
    if (added.length > 0) setNewIds((before) => new Set([...before, ...added].slice(-keptMax)))
    queryClient.setQueryData<FeedPages>(
      queryKey,
      (pages) => pages && mergeAlerts(pages, alerts, (alert) => matchesFilters(alert, filters)),
    )
  })
  const isLive = useLive(
    workspace,
    (event) => {
      if (event.event === 'alert') add(event.data)
    },
    list.reload,
  )
  const isTrimmed = queryClient.getQueryData<FeedPages>(queryKey)?.pages.some((page) => page.isTrimmed) === true
  // After a trim, the cursor of the last page would skip rows. Loading more first reloads the pages.
  return { list: isTrimmed ? { ...list, hasMore: true, loadMore: list.reload } : list, isLive, newIds }
}

type Args = { query: { workspace: string; limit: string } }

/** Reads only the first page again: a reader may have loaded many, and older alerts hardly change. */
function useFirstPage(args: Args, queryKey: readonly unknown[], { items, reload }: List<Alert>): void {
  useQuery({
    queryKey: [...keyOf('listAlerts', args), 'first page'],
    queryFn: async ({ signal }) => {
      const known = new Set(items.map(({ id }) => id))
      const first = await readPage('listAlerts', args, undefined, signal)
      const pages = queryClient.getQueryData<FeedPages>(queryKey)
      const merged = pages && mergeFirstPage(pages, first, known)
      if (merged) queryClient.setQueryData<FeedPages>(queryKey, merged)
      else reload()
      return null
    },
    initialData: null,
    refetchInterval: pollMs,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** The filters as the service takes them. A time range begins where it began when the reader chose it. */
function useQueryOf({ range, ...filters }: AlertFilters) {
  const since = useMemo(() => range && new Date(Date.now() - ranges[range]).toISOString(), [range])
  return { ...filters, ...(since !== undefined && { since }) }
}

/** Collects alerts and handles them as a batch. Timers of a background tab run rarely, so only the newest alerts are kept. */
function useBatches(handle: (alerts: Alert[]) => void): (alert: Alert) => void {
  const waiting = useRef(new Map<string, Alert>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const current = useRef(handle)
  useEffect(() => {
    current.current = handle
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return (alert) => {
    waiting.current.delete(alert.id)
    waiting.current.set(alert.id, alert)
    const [oldest] = waiting.current.keys()
    if (waiting.current.size > keptMax && oldest !== undefined) waiting.current.delete(oldest)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const alerts = [...waiting.current.values()]
      waiting.current.clear()
      current.current(alerts)
    }, batchMs)
  }
}
