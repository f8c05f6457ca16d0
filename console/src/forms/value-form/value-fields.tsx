import { NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { JsonField } from '../json-field.tsx'
import { AddressField, AddressListField } from './address-field.tsx'
import type { Field, FieldProps } from './read-fields.ts'

type ValueFieldsProps = {
  fields: Field[]
  values: Record<string, unknown>
  /** `undefined` removes the value. */
  onChange: (name: string, value: unknown) => void
  errorOf: (name: string) => string | undefined
}

/** One input for each field of a schema. */
export function ValueFields({ fields, values, onChange, errorOf }: ValueFieldsProps) {
  return (
    <Stack gap="md">
      {fields.map((field) => (
        <ValueField
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => onChange(field.name, value)}
          error={errorOf(field.name)}
        />
      ))}
    </Stack>
  )
}

export function ValueField(props: FieldProps) {
  const { field, value, onChange, error } = props
  const common = { label: field.title, description: field.description, required: field.isRequired, error }
  switch (field.kind) {
    case 'boolean':
      return (
        <Switch
          label={field.title}
          description={field.description}
          error={error}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          data={field.choices}
          value={typeof value === 'string' ? value : null}
          onChange={(choice) => onChange(choice ?? undefined)}
          clearable={!field.isRequired}
        />
      )
    case 'number':
    case 'integer':
      return (
        <NumberInput
          {...common}
          allowDecimal={field.kind === 'number'}
          value={typeof value === 'number' || typeof value === 'string' ? value : ''}
          onChange={(number) => onChange(number === '' ? undefined : number)}
        />
      )
    case 'address':
      return <AddressField {...props} />
    case 'list':
      return <AddressListField {...props} />
    case 'json':
      return (
        <JsonField
          label={field.isRequired ? `${field.title} *` : field.title}
          description={field.description ?? 'JSON'}
          value={value}
          onChange={onChange}
          error={error}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        />
      )
  }
}
