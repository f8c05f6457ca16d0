import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormFooter } from '../../forms/form-footer.tsx'
import { nameFrom, nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import { type Field, fieldsOf, missingIn } from '../../forms/value-form/read-fields.ts'
import { ValueField } from '../../forms/value-form/value-fields.tsx'
import { type Blueprint, kindOf } from './blueprints.ts'
import { SecretField } from './secret-field.tsx'

export type DestinationValues = { title: string; name: string; data: Record<string, unknown> }
type DestinationFormProps = {
  blueprint: Blueprint
  initial: DestinationValues
  isNew?: boolean
  verb: string
  save: (values: DestinationValues) => Promise<unknown>
  cancel?: (() => void) | undefined
}

/** A place to deliver to: what its blueprint asks for, and a name. */
export function DestinationForm({ blueprint, initial, isNew = false, verb, save, cancel }: DestinationFormProps) {
  const [isNamed, setNamed] = useState(!isNew)
  const fields = fieldsOf(blueprint.data ?? {})
  const form = useForm({
    initial,
    check: ({ name, data }) => [...nameIssue('name', name), ...missingIn(fields, data)],
    save,
  })
  const title = form.text('title')
  const setData = (name: string, value: unknown) => form.set('data', { ...form.values.data, [name]: value })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Title"
          placeholder={`${blueprint.title} of the team`}
          {...title}
          onChange={(event) => {
            title.onChange(event)
            if (!isNamed) form.set('name', nameFrom(event.currentTarget.value) || kindOf(blueprint.fullname))
          }}
        />
        {isNew && (
          <TextInput
            label="Name"
            description="How subscriptions refer to it; it never changes."
            {...form.text('name')}
            onChange={(event) => {
              setNamed(true)
              form.set('name', event.currentTarget.value)
            }}
          />
        )}
        {fields.map((field) => (
          <DataField
            key={field.name}
            field={field}
            blueprint={blueprint.fullname}
            isNew={isNew}
            value={form.values.data[field.name]}
            onChange={(value) => setData(field.name, value)}
            error={form.errorOf(field.name)}
          />
        ))}
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb={verb}
          shownElsewhere={(path) => path === 'name' || path.startsWith('data.')}
        >
          {cancel && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
        </FormFooter>
      </Stack>
    </form>
  )
}

type DataFieldProps = {
  field: Field
  blueprint: string
  isNew: boolean
  value: unknown
  onChange: (value: unknown) => void
  error: string | undefined
}

/** Whoever knows the address of a channel's webhook can write to the channel, so it stays hidden once it is saved. */
const secretAddresses = ['discord', 'slack']

function DataField({ field, blueprint, isNew, value, onChange, error }: DataFieldProps) {
  const text = typeof value === 'string' ? value : ''
  const give = (next: string) => onChange(next === '' ? undefined : next)
  if (field.name === 'secret') return <SecretField value={text} onChange={give} error={error} />
  if (!isNew && field.name === 'url' && secretAddresses.includes(kindOf(blueprint)))
    return (
      <PasswordInput
        label={field.title}
        description={field.description}
        required={field.isRequired}
        autoComplete="off"
        value={text}
        onChange={(event) => give(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the URL' }}
        error={error}
      />
    )
  return <ValueField field={field} value={value} onChange={onChange} error={error} />
}
