import {
  columnFilteringFeature,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  type RowData,
  rowPaginationFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_text,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'

const pageSize = 25

/** A column: what it is called, what it sorts and filters by, and how a cell looks when not as plain text. */
export type Column<Row> = {
  key: string
  header: string
  value: (row: Row) => string | number
  cell?: (row: Row) => ReactNode
  /** Buttons and the like: named for screen readers alone, neither sorted nor filtered. */
  isActions?: boolean
}
/** A choice above the table that keeps the rows of one kind. */
export type Facet<Row> = { label: string; value: (row: Row) => string; options: { value: string; label: string }[] }

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowSortingFeature,
  rowPaginationFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
  filterFns: { includesString: filterFn_includesString },
  sortFns: { alphanumeric: sortFn_alphanumeric, text: sortFn_text },
})

export function useTableModel<Row extends RowData>(
  rows: Row[],
  columns: Column<Row>[],
  facets: Facet<Row>[],
  chosen: string[],
) {
  const data = useMemo(
    () => rows.filter((row) => facets.every((facet, at) => !chosen[at] || facet.value(row) === chosen[at])),
    [rows, facets, chosen],
  )
  const definitions = useMemo(
    () =>
      columns.map(({ key, header, value, isActions = false }) => ({
        id: key,
        header,
        accessorFn: value,
        enableSorting: !isActions,
        enableGlobalFilter: !isActions,
      })),
    [columns],
  )
  return useTable({
    features,
    data,
    columns: definitions,
    globalFilterFn: 'includesString' as const,
    initialState: { pagination: { pageIndex: 0, pageSize } },
  })
}
export type TableModel<Row extends RowData> = ReturnType<typeof useTableModel<Row>>
