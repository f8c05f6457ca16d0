import { ActionIcon, Checkbox, NumberInput, Select, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconTrash } from '../../components/icons.tsx'
import { addressTypes } from '../address-types.ts'
import { custom, fieldTypes, type SchemaField } from './schema-field.ts'
import classes from './schema-row.module.css'

type SchemaRowProps = {
  name: string
  field: SchemaField
  hasSourcePath: boolean
  error: string | undefined
  isTaken: (name: string) => boolean
  onRename: (to: string) => void
  onChange: (field: SchemaField) => void
  onRemove: () => void
}

export function SchemaRow({
  name,
  field,
  hasSourcePath,
  error,
  isTaken,
  onRename,
  onChange,
  onRemove,
}: SchemaRowProps) {
  const [typed, setTyped] = useState(name)
  const [known, setKnown] = useState(name)
  if (known !== name) {
    setKnown(name)
    setTyped(name)
  }
  const problem = typed === '' ? 'Enter a name' : isTaken(typed) ? 'This name is taken' : undefined
  const rename = (text: string) => {
    setTyped(text)
    if (text === '' || isTaken(text)) return
    setKnown(text)
    onRename(text)
  }
  const put = (part: Partial<SchemaField>) => onChange({ ...field, ...part })
  return (
    <fieldset className={classes.row} aria-label={`Field ${name}`}>
      <TextInput
        label="Name"
        size="xs"
        value={typed}
        onChange={(event) => rename(event.currentTarget.value)}
        spellCheck={false}
        error={problem ?? error}
      />
      <Select
        label="Type"
        size="xs"
        data={field.type === custom ? [custom, ...fieldTypes] : fieldTypes}
        value={field.type}
        onChange={(type) => type !== null && type !== custom && put({ type, rest: withoutType(field.rest) })}
        allowDeselect={false}
      />
      <Detail field={field} put={put} />
      {hasSourcePath && (
        <TextInput
          label="Path in the item"
          size="xs"
          placeholder="params.to"
          value={field.sourcePath}
          onChange={(event) => put({ sourcePath: event.currentTarget.value })}
          spellCheck={false}
        />
      )}
      <Checkbox
        label="Optional"
        size="xs"
        checked={field.optional}
        onChange={(event) => put({ optional: event.currentTarget.checked })}
        className={classes.optional}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove field ${name}`}
        onClick={onRemove}
        className={classes.remove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </fieldset>
  )
}

type DetailProps = { field: SchemaField; put: (part: Partial<SchemaField>) => void }

/** The property that depends on the type. */
function Detail({ field, put }: DetailProps) {
  if (field.type === 'address')
    return (
      <Select
        label="Address type"
        size="xs"
        data={addressTypes().map(({ value }) => value)}
        value={field.addressType || null}
        onChange={(addressType) => put({ addressType: addressType ?? '' })}
        placeholder="Any chain"
        clearable
      />
    )
  if (field.type === 'balance')
    return (
      <NumberInput
        label="Decimals"
        size="xs"
        min={0}
        max={255}
        allowDecimal={false}
        value={field.decimals ?? ''}
        onChange={(decimals) => put({ decimals: typeof decimals === 'number' ? decimals : undefined })}
      />
    )
  if (field.type === 'enum')
    return <TagsInput label="Values" size="xs" value={field.choices} onChange={(choices) => put({ choices })} />
  if (field.type === custom)
    return (
      <Text size="xs" c="dimmed" className={classes.optional}>
        Edit as JSON
      </Text>
    )
  return (
    <TextInput
      label="Description"
      size="xs"
      value={field.description}
      onChange={(event) => put({ description: event.currentTarget.value })}
    />
  )
}

function withoutType({ type: _, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest
}
