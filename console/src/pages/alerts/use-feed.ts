import type { InfiniteData } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { keyOf } from '../../data/queries.ts'
import { queryClient } from '../../data/query-client.ts'
import { type Alert, type AlertFilters, fits } from './filters.ts'

type Pages = InfiniteData<{ items: Alert[]; next: string | undefined }>
const pageSize = '50'
/** The stream does not tell of alerts that are taken back long after they were made. */
const everyMs = 30_000

/** The alerts that fit, newest first; what the stream tells is put in its place without reading the list again. */
export function useFeed(workspace: string, filters: AlertFilters) {
  const args = { query: { workspace, limit: pageSize, ...filters } }
  const list = useApiList('listAlerts', args, { everyMs })
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set())
  const isLive = useLive(
    workspace,
    (event) => {
      if (event.event !== 'alert') return
      const alert = event.data
      if (!list.items.some(({ id }) => id === alert.id)) setArrived((before) => new Set(before).add(alert.id))
      queryClient.setQueryData<Pages>(
        [...keyOf('listAlerts', args), 'list'],
        (pages) => pages && place(pages, alert, fits(alert, filters)),
      )
    },
    list.reload,
  )
  return { list, isLive, arrived }
}

/** Changed where it stands, gone when it no longer fits, else first of all. */
export function place({ pages, pageParams }: Pages, alert: Alert, isFitting: boolean): Pages {
  const isListed = pages.some(({ items }) => items.some(({ id }) => id === alert.id))
  const changed = pages.map((page, at) => {
    const rest = page.items.flatMap((item) => (item.id !== alert.id ? [item] : isFitting ? [alert] : []))
    return { ...page, items: at === 0 && !isListed && isFitting ? [alert, ...rest] : rest }
  })
  return { pages: changed, pageParams }
}
