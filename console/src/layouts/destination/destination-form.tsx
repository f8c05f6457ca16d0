import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { nameFrom, nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import { type Field, fieldsOf, missingIn } from '../../forms/value-form/read-fields.ts'
import { ValueField } from '../../forms/value-form/value-fields.tsx'
import { type Blueprint, kindOf } from './blueprints.ts'
import { WebhookFields, webhookFields } from './webhook-fields.tsx'

export type DestinationValues = { title: string; name: string; data: Record<string, unknown> }
type DestinationFormProps = {
  blueprint: Blueprint
  initial: DestinationValues
  /** The ETag of `initial`. */
  version?: string | undefined
  isNew?: boolean
  verb: string
  save: (values: DestinationValues, version: string | undefined) => Promise<unknown>
  cancel?: (() => void) | undefined
}

/** The fields of a destination: title, name and the data of its blueprint. */
export function DestinationForm(props: DestinationFormProps) {
  const { blueprint, initial, version, isNew = false, verb, save, cancel } = props
  const [isNamed, setNamed] = useState(!isNew)
  const isWebhook = kindOf(blueprint.fullname) === 'webhook'
  const fields = fieldsOf(blueprint.data ?? {}).filter(({ name }) => !isWebhook || !webhookFields.includes(name))
  const form = useForm({
    initial,
    version,
    check: ({ name, data }) => [...nameIssue('name', name), ...missingIn(fields, data)],
    save,
    keep: { name: `destination ${blueprint.fullname} ${initial.name}`, leaveOut: ['data'] },
  })
  const title = form.text('title')
  const setData = (name: string, value: unknown) => form.set('data', { ...form.values.data, [name]: value })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <KeptFormNotice form={form} />
        <TextInput
          label="Title"
          placeholder={`Team ${blueprint.title}`}
          {...title}
          onChange={(event) => {
            title.onChange(event)
            if (!isNamed) form.set('name', nameFrom(event.currentTarget.value) || kindOf(blueprint.fullname))
          }}
        />
        {isNew && (
          <TextInput
            label="Name"
            description="Subscriptions refer to it by this name. The name cannot be changed later."
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
            isMasked={!isNew && blueprint.secrets?.includes(field.name) === true}
            value={form.values.data[field.name]}
            onChange={(value) => setData(field.name, value)}
            error={form.errorOf(field.name)}
          />
        ))}
        {isWebhook && <WebhookFields data={form.values.data} onChange={setData} errorOf={form.errorOf} />}
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
  /** Anyone who knows the value can write to the channel, so it is masked after the first save. */
  isMasked: boolean
  value: unknown
  onChange: (value: unknown) => void
  error: string | undefined
}

function DataField({ field, isMasked, value, onChange, error }: DataFieldProps) {
  if (!isMasked || field.kind !== 'text')
    return <ValueField field={field} value={value} onChange={onChange} error={error} />
  return (
    <PasswordInput
      label={field.title}
      description={field.description}
      required={field.isRequired}
      autoComplete="off"
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${field.title}` }}
      error={error}
    />
  )
}
