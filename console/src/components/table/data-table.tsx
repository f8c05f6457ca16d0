import { Button, Group, Pagination, Select, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { List } from '../../data/lists.ts'
import { IconChevronDown, IconChevronUp, IconSearch } from '../icons.tsx'
import classes from './data-table.module.css'
import { type Column, type Facet, type TableModel, useTableModel } from './table-model.ts'
import { ListError, TableSkeleton } from './table-states.tsx'

type DataTableProps<Row extends object> = {
  /** The name of the table for screen readers. */
  label: string
  list: List<Row>
  /** Must be memoised: a new array makes the table process all rows again. */
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  /** Shown instead of an empty table. */
  empty: ReactNode
  facets?: Facet<Row>[]
}

const noFacets: never[] = []

/** A list of the API as a table with filters, sorting and pages. Below 640 px each row becomes a card. */
export function DataTable<Row extends object>({
  label,
  list,
  columns,
  rowKey,
  empty,
  facets = noFacets,
}: DataTableProps<Row>) {
  const [chosen, setChosen] = useState<string[]>([])
  const table = useTableModel(list.items, columns, facets, chosen)
  if (list.error && list.items.length === 0) return <ListError list={list} />
  if (list.isLoading) return <TableSkeleton label={label} />
  if (list.items.length === 0) return <div className={classes.frame}>{empty}</div>
  return (
    <Stack gap="sm">
      <ListError list={list} />
      <div className={classes.frame}>
        <TableTools table={table} label={label} facets={facets} chosen={chosen} choose={setChosen} />
        <table className={classes.table} aria-label={label}>
          <Header table={table} columns={columns} />
          <Rows table={table} columns={columns} rowKey={rowKey} />
        </table>
        <Footer table={table} list={list} label={label} />
      </div>
    </Stack>
  )
}

function Header<Row extends object>({ table, columns }: { table: TableModel<Row>; columns: Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {table.getHeaderGroups()[0]?.headers.map(({ id, column }, at) => {
          const title = columns[at]?.header ?? ''
          const sorted = column.getIsSorted()
          if (!column.getCanSort())
            return (
              <th key={id} scope="col">
                <span className={classes.silent}>{title}</span>
              </th>
            )
          return (
            <th key={id} scope="col" aria-sort={sorted === false ? 'none' : `${sorted}ending`}>
              <button type="button" className={classes.sort} onClick={column.getToggleSortingHandler()}>
                {title}
                {sorted === 'asc' && <IconChevronUp size={14} />}
                {sorted === 'desc' && <IconChevronDown size={14} />}
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

type RowsProps<Row extends object> = { table: TableModel<Row>; columns: Column<Row>[]; rowKey: (row: Row) => string }

function Rows<Row extends object>({ table, columns, rowKey }: RowsProps<Row>) {
  const { rows } = table.getRowModel()
  if (rows.length === 0)
    return (
      <tbody>
        <tr>
          <td colSpan={columns.length} className={classes.none}>
            No matches.
          </td>
        </tr>
      </tbody>
    )
  return (
    <tbody>
      {rows.map(({ original }) => (
        <tr key={rowKey(original)}>
          {columns.map(({ key, header, value, cell, isActions }) => (
            <td key={key} data-label={isActions ? undefined : header} data-actions={isActions || undefined}>
              {cell ? cell(original) : value(original)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

function Footer<Row extends object>({
  table,
  list,
  label,
}: {
  table: TableModel<Row>
  list: List<Row>
  label: string
}) {
  const pages = table.getPageCount()
  const count = table.getFilteredRowModel().rows.length
  if (pages <= 1 && !list.hasMore) return null
  return (
    <Group justify="space-between" className={classes.foot}>
      <Text size="sm" c="dimmed">
        {list.hasMore ? `${list.items.length} loaded. Filters apply to these.` : `${count} in total`}
      </Text>
      {list.hasMore && (
        <Button size="xs" variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          Load more
        </Button>
      )}
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={table.state.pagination.pageIndex + 1}
          onChange={(page) => table.setPageIndex(page - 1)}
          getControlProps={(control) => ({ 'aria-label': `${control} page of ${label}` })}
          getItemProps={(page) => ({ 'aria-label': `Page ${page} of ${label}` })}
        />
      )}
    </Group>
  )
}

type TableToolsProps<Row extends object> = {
  table: TableModel<Row>
  label: string
  facets: Facet<Row>[]
  chosen: string[]
  choose: (chosen: string[]) => void
}

/** The filters above a table: a text, and one select for each facet. */
function TableTools<Row extends object>({ table, label, facets, chosen, choose }: TableToolsProps<Row>) {
  return (
    <Group gap="xs" className={classes.tools}>
      <TextInput
        className={classes.search}
        leftSection={<IconSearch size={16} />}
        placeholder="Filter"
        aria-label={`Filter ${label.toLowerCase()}`}
        value={table.state.globalFilter ?? ''}
        onChange={(event) => table.setGlobalFilter(event.currentTarget.value)}
      />
      {facets.map((facet, at) => (
        <Select
          key={facet.label}
          className={classes.facet}
          aria-label={facet.label}
          placeholder={facet.label}
          data={facet.options}
          value={chosen[at] ?? null}
          onChange={(value) => choose(facets.map((_, other) => (other === at ? (value ?? '') : (chosen[other] ?? ''))))}
          clearable
        />
      ))}
    </Group>
  )
}
