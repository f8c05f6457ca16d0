import { Group, Select, TextInput } from '@mantine/core'
import { IconSearch } from '../icons.tsx'
import classes from './data-table.module.css'
import type { Facet, TableModel } from './table-model.ts'

type TableToolsProps<Row extends object> = {
  table: TableModel<Row>
  label: string
  facets: Facet<Row>[]
  chosen: string[]
  choose: (chosen: string[]) => void
}

/** The filters above a table: a text, and one select for each facet. */
export function TableTools<Row extends object>({ table, label, facets, chosen, choose }: TableToolsProps<Row>) {
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
