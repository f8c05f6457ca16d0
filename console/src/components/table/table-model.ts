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

/** A column: header, the value to sort and filter by, and the cell if it is not plain text. */
export type Column<Row> = {
  key: string
  header: string
  value: (row: Row) => string | number
  cell?: (row: Row) => ReactNode
  /** A column of buttons: its header is for screen readers only, and it is not sorted or filtered. */
  isActions?: boolean
}
/** A select above the table that filters rows by one value. */
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
