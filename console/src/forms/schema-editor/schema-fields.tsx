import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { IconPlus } from '../../components/icons.tsx'
import { isObject } from '../json.ts'
import { JsonField } from '../json-field.tsx'
import type { Kept } from '../unread.ts'
import { freeName, readField, renamed, type Schemas, writeField } from './schema-field.ts'
import { SchemaRow } from './schema-row.tsx'

type SchemaFieldsProps = {
  label: string
  about: string
  value: Schemas
  onChange: (value: Schemas) => void
  /** Fields may name where in the source item they are read from. */
  hasSourcePath?: boolean
  /** What is wrong, by the name of the field. */
  errorOf?: (name: string) => string | undefined
  /** Keeps the text of the JSON view while it cannot be read. */
  kept?: Kept
}

/** A map of names to schemas: as rows, or as JSON. */
export function SchemaFields({
  label,
  about,
  value,
  onChange,
  hasSourcePath = false,
  errorOf,
  kept,
}: SchemaFieldsProps) {
  const [view, setView] = useState(kept?.unread ? 'json' : 'rows')
  return (
    <section aria-label={label}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5">
          {label}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={`${label} as`}
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
          refusal="Write an object: names and their schemas."
          onChange={(schemas) => onChange(isObject(schemas) ? schemas : {})}
          {...(kept && { kept })}
          minHeight={140}
        />
      ) : (
        <Rows label={label} value={value} onChange={onChange} hasSourcePath={hasSourcePath} errorOf={errorOf} />
      )}
    </section>
  )
}

function Rows({ label, value, onChange, hasSourcePath, errorOf }: Omit<SchemaFieldsProps, 'about' | 'kept'>) {
  const names = Object.keys(value)
  const add = () => onChange({ ...value, [freeName(value)]: 'string' })
  return (
    <Stack gap="xs">
      {names.map((name, at) => (
        <SchemaRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a field keeps its row while its name is typed
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
          aria-label={`Add a field to ${label.toLowerCase()}`}
        >
          Add a field
        </Button>
      </Group>
    </Stack>
  )
}
