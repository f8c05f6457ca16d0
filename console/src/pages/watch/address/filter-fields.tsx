import { Select, Text, TextInput } from '@mantine/core'
import type { Filter } from '../model/filter.ts'
import type { FilterValues } from '../model/filters.ts'
import type { Source } from '../model/source.ts'
import { Amount } from '../questions/amount.tsx'
import { SubjectField } from '../questions/subject-field.tsx'

type FilterFieldsProps = {
  filters: Filter[]
  source: Source
  values: FilterValues
  onChange: (param: string, value: string) => void
  issues: FilterValues
}

/** One optional input for each filter. */
export function FilterFields({ filters, source, values, onChange, issues }: FilterFieldsProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {filters.length === 0 ? 'There is nothing to filter: you hear about each one.' : 'Leave a field empty for any.'}
      </Text>
      {filters.map((filter) => (
        <FilterField
          key={filter.param}
          filter={filter}
          source={source}
          value={values[filter.param] ?? ''}
          onChange={(value) => onChange(filter.param, value)}
          error={issues[filter.param]}
        />
      ))}
    </>
  )
}

type FilterFieldProps = {
  filter: Filter
  source: Source
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

function FilterField({ filter: { label, kind, unit }, source, value, onChange, error }: FilterFieldProps) {
  const common = { value, onChange, error }
  switch (kind) {
    case 'address':
      return <SubjectField subject={{ label, example: '', isOptional: true }} source={source} {...common} />
    case 'amount':
      return <Amount label={`${label} at least`} description={`In ${unit}`} {...common} />
    case 'number':
      return <Amount label={`${label} at least`} {...common} />
    case 'boolean':
      return (
        <Select
          size="md"
          maw={280}
          label={label}
          data={[
            { value: '', label: 'Any' },
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          value={value}
          onChange={(next) => onChange(next ?? '')}
          allowDeselect={false}
        />
      )
    case 'text':
      return <TextInput size="md" label={label} {...common} onChange={(event) => onChange(event.currentTarget.value)} />
  }
}
