import { RelativeTime } from '../relative-time.tsx'
import type { Column } from './table-model.ts'

/** When the row was last changed. */
export const changedColumn: Column<{ updatedAt: string }> = {
  key: 'changed',
  header: 'Changed',
  value: ({ updatedAt }) => updatedAt,
  cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
}
