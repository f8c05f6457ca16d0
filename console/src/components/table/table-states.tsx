import { Skeleton, Stack } from '@mantine/core'
import type { List } from '../../data/lists.ts'
import { ErrorNotice } from '../error-notice.tsx'
import classes from './data-table.module.css'

export function TableSkeleton({ label }: { label: string }) {
  return (
    <div className={classes.frame}>
      <Stack gap={14} p="lg" role="status" aria-label={`Loading ${label.toLowerCase()}`}>
        {['38%', '64%', '52%', '70%'].map((width) => (
          <Skeleton key={width} height={16} width={width} />
        ))}
      </Stack>
    </div>
  )
}

/** Shows that a list could not be read. Rows of an earlier answer stay below it. */
export function ListError({ list }: { list: Pick<List<unknown>, 'items' | 'error' | 'reload'> }) {
  const title = list.items.length > 0 ? { title: 'The list could not be updated' } : {}
  return <ErrorNotice error={list.error} retry={list.reload} {...title} />
}
