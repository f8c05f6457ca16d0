import { ActionIcon, Autocomplete, Button, Group, Input, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '../../../components/icons.tsx'
import { ops } from '../../../forms/condition-ops.ts'
import { useAddressBook } from '../../../forms/value-form/address-field.tsx'
import type { Field } from '../../../forms/value-form/read-fields.ts'
import { type Row, type Rows, valueIssue } from '../model/conditions.ts'
import classes from './wizard.module.css'

type ConditionRowsProps = { fields: Field[]; value: Rows; onChange: (rows: Rows) => void; error: string | undefined }
const joins: { value: Rows['join']; label: string }[] = [
  { value: 'all', label: 'All filters must match' },
  { value: 'any', label: 'At least one filter must match' },
]

export function ConditionRows({ fields, value: { join, rows }, onChange, error }: ConditionRowsProps) {
  const add = () => onChange({ join, rows: [...rows, { param: fields[0]?.name ?? '', op: 'eq', value: '' }] })
  return (
    <Input.Wrapper error={error}>
      <Stack gap="xs" mb={6}>
        {rows.length > 1 && (
          <Select
            aria-label="Combine filters"
            data={joins}
            value={join}
            allowDeselect={false}
            onChange={(next) => next && onChange({ join: next, rows })}
            maw={240}
          />
        )}
        {rows.map((row, at) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
            key={at}
            number={at + 1}
            fields={fields}
            row={row}
            onChange={(next) => onChange({ join, rows: rows.with(at, next) })}
            remove={() => onChange({ join, rows: rows.toSpliced(at, 1) })}
          />
        ))}
        <Group>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
            Add filter
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}

type LineProps = { number: number; fields: Field[]; row: Row; onChange: (row: Row) => void; remove: () => void }

function Line({ number, fields, row, onChange, remove }: LineProps) {
  const field = fields.find(({ name }) => name === row.param)
  return (
    <div className={classes.line}>
      <div>
        <Autocomplete
          aria-label={`Field of filter ${number}`}
          placeholder="Field or path, such as token.symbol"
          data={fields.map(({ name }) => name)}
          value={row.param}
          onChange={(param) => onChange({ ...row, param })}
        />
      </div>
      <div>
        <Select
          aria-label={`Operator of filter ${number}`}
          data={ops}
          value={row.op}
          allowDeselect={false}
          onChange={(op) => op && onChange({ ...row, op })}
        />
      </div>
      <div>
        <Value number={number} field={field} row={row} onChange={(value) => onChange({ ...row, value })} />
      </div>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove filter ${number}`} onClick={remove}>
        <IconTrash />
      </ActionIcon>
    </div>
  )
}

type ValueProps = { number: number; field: Field | undefined; row: Row; onChange: (value: string) => void }

function Value({ number, field, row, onChange }: ValueProps) {
  const { choices } = useAddressBook(field?.addressType)
  const label = `Value of filter ${number}`
  const isOne = row.op === 'eq' || row.op === 'ne'
  const offered = field?.kind === 'boolean' ? ['true', 'false'] : (field?.choices ?? [])
  if (isOne && offered.length > 0)
    return (
      <Select aria-label={label} data={offered} value={row.value || null} onChange={(value) => onChange(value ?? '')} />
    )
  if (isOne && field?.kind === 'address')
    return (
      <Autocomplete aria-label={label} placeholder="Address" data={choices} value={row.value} onChange={onChange} />
    )
  return (
    <TextInput
      aria-label={label}
      placeholder={row.op === 'in' || row.op === 'nin' ? 'Value 1, value 2, value 3' : 'Value'}
      value={row.value}
      error={row.value === '' ? undefined : valueIssue(row, field?.kind)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
