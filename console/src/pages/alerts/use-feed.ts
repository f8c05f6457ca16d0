import { useEffect, useRef, useState } from 'react'
import { useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { keyOf } from '../../data/queries.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Alert } from './alert-status.ts'
import { type FeedPages, keptMax, pageSize, placeAll } from './feed-pages.ts'
import { type AlertFilters, fits } from './filters.ts'

/** The stream does not tell of alerts that are taken back long after they were made. */
const everyMs = 30_000
/** Alerts of one interval are shown by one rendering. */
const batchMs = 250

/** The alerts that fit, newest first. Alerts of the stream are put into the list without reading it again. */
export function useFeed(workspace: string, filters: AlertFilters) {
  const args = { query: { workspace, limit: String(pageSize), ...filters } }
  const queryKey = [...keyOf('listAlerts', args), 'list']
  const list = useApiList('listAlerts', args, { everyMs })
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set())
  const add = useBatches((alerts) => {
    const listed = new Set(list.items.map(({ id }) => id))
    const added = alerts.flatMap(({ id }) => (listed.has(id) ? [] : [id]))
    if (added.length > 0) setArrived((before) => new Set([...before, ...added].slice(-keptMax)))
    queryClient.setQueryData<FeedPages>(
      queryKey,
      (pages) => pages && placeAll(pages, alerts, (alert) => fits(alert, filters)),
    )
  })
  const isLive = useLive(
    workspace,
    (event) => {
      if (event.event === 'alert') add(event.data)
    },
    list.reload,
  )
  const isCut = queryClient.getQueryData<FeedPages>(queryKey)?.pages.some((page) => page.isCut) === true
  // After a cut the cursor of the last page would skip rows: the pages are read again before more are asked for.
  return { list: isCut ? { ...list, hasMore: true, loadMore: list.reload } : list, isLive, arrived }
}

/** Collects alerts and hands them over together. A tab in the background is woken rarely, so the newest ones are kept. */
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
