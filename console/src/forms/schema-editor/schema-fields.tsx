import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { IconPlus } from '../../components/icons.tsx'
import type { InvalidTextSlot } from '../invalid-text.tsx'
import { isObject } from '../json.ts'
import { JsonField } from '../json-field.tsx'
import { freeName } from '../names.ts'
import { readField, renamed, type Schemas, writeField } from './schema-field.ts'
import { SchemaRow } from './schema-row.tsx'

type SchemaFieldsProps = {
  label: string
  about: string
  value: Schemas
  onChange: (value: Schemas) => void
  /** Shows the path in the source item. */
  hasSourcePath?: boolean
  /** The error of a field by its name. */
  errorOf?: (name: string) => string | undefined
  /** Stores invalid text of the JSON view. */
  invalidText?: InvalidTextSlot
}

/** Edits a map of names to schemas, as rows or as JSON. */
export function SchemaFields({
  label,
  about,
  value,
  onChange,
  hasSourcePath = false,
  errorOf,
  invalidText,
}: SchemaFieldsProps) {
  const [view, setView] = useState(invalidText?.current ? 'json' : 'rows')
  return (
    <section aria-label={label}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5">
          {label}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={`View of ${label.toLowerCase()}`}
          data={[
            { value: 'rows', label: 'Rows' },
            { value: 'json', label: 'JSON' },
          ]}
          value={view}
          onChange={setView}
        />
      </Group>
      <Text size="sm" c="dimmed" mt={2} mb="sm">
        {about}
      </Text>
      {view === 'json' ? (
        <JsonField
          label={`${label}, JSON`}
          value={value}
          accepts={isObject}
          refusal="Enter an object that maps names to schemas."
          onChange={(schemas) => onChange(isObject(schemas) ? schemas : {})}
          {...(invalidText && { invalidText })}
          minHeight={140}
        />
      ) : (
        <Rows label={label} value={value} onChange={onChange} hasSourcePath={hasSourcePath} errorOf={errorOf} />
      )}
    </section>
  )
}

function Rows({ label, value, onChange, hasSourcePath, errorOf }: Omit<SchemaFieldsProps, 'about' | 'invalidText'>) {
  const names = Object.keys(value)
  const add = () => onChange({ ...value, [freeName('field', (name) => Object.hasOwn(value, name), '')]: 'string' })
  return (
    <Stack gap="xs">
      {names.map((name, at) => (
        <SchemaRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a field keeps its row while its name changes
          key={at}
          name={name}
          field={readField(value[name])}
          hasSourcePath={hasSourcePath === true}
          error={errorOf?.(name)}
          isTaken={(wanted) => wanted !== name && Object.hasOwn(value, wanted)}
          onRename={(to) => onChange(renamed(value, name, to))}
          onChange={(field) => onChange({ ...value, [name]: writeField(field) })}
          onRemove={() => onChange(Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)))}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={add}
          aria-label={`Add field to ${label.toLowerCase()}`}
        >
          Add field
        </Button>
      </Group>
    </Stack>
  )
}
