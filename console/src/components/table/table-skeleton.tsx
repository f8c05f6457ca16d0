import { Skeleton, Stack } from '@mantine/core'
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
