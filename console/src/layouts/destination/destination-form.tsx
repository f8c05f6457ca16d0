import { Button, Group, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { nameFrom, nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import { type Field, fieldsOf, missingIn } from '../../forms/value-form/read-fields.ts'
import { ValueField } from '../../forms/value-form/value-fields.tsx'
import { type Blueprint, kindOf } from './blueprints.ts'
import { headersOfLines, linesOfHeaders } from './header-lines.ts'
import { newWebhookSecret } from './webhook-secret.ts'

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
  const allFields = fieldsOf(blueprint.data ?? {})
  const fields = allFields.filter(({ name }) => !requestOptions.includes(name))
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
            blueprint={blueprint.fullname}
            isNew={isNew}
            value={form.values.data[field.name]}
            onChange={(value) => setData(field.name, value)}
            error={form.errorOf(field.name)}
          />
        ))}
        {fields.length < allFields.length && (
          <RequestOptions data={form.values.data} onChange={setData} errorOf={form.errorOf} />
        )}
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

/** Anyone who knows these webhook URLs can write to the channel, so the form masks them after the first save. */
const secretUrlKinds = ['discord', 'slack']

function DataField({ field, blueprint, isNew, value, onChange, error }: DataFieldProps) {
  const text = typeof value === 'string' ? value : ''
  const change = (next: string) => onChange(next === '' ? undefined : next)
  if (field.name === 'secret') return <SecretField value={text} onChange={change} error={error} />
  if (!isNew && field.name === 'url' && secretUrlKinds.includes(kindOf(blueprint)))
    return (
      <PasswordInput
        label={field.title}
        description={field.description}
        required={field.isRequired}
        autoComplete="off"
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide URL' }}
        error={error}
      />
    )
  return <ValueField field={field} value={value} onChange={onChange} error={error} />
}

type SecretFieldProps = { value: string; onChange: (value: string) => void; error: string | undefined }

/** The secret that signs webhook requests: generated here, or entered by the user. Masked by default. */
function SecretField({ value, onChange, error }: SecretFieldProps) {
  const [generated, setGenerated] = useState<string>()
  const [isShown, setShown] = useState(false)
  const generate = () => {
    const secret = newWebhookSecret()
    setGenerated(secret)
    setShown(true)
    onChange(secret)
  }
  return (
    <Stack gap={6}>
      <PasswordInput
        label="Signing secret"
        description="Signs every request, so that the receiver can verify the sender. Leave it empty to let the service generate one."
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        visible={isShown}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{ 'aria-label': isShown ? 'Hide secret' : 'Show secret' }}
        error={error}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={generate}>
          {value === '' ? 'Generate secret' : 'Generate another secret'}
        </Button>
        {value !== '' && <CopyButton value={value} what="secret" />}
      </Group>
      {generated !== undefined && generated === value && (
        <Text size="sm">Copy the secret to the receiver now. It takes effect when you save.</Text>
      )}
    </Stack>
  )
}

const requestOptions = ['headers', 'body']

type RequestOptionsProps = {
  data: Record<string, unknown>
  /** `undefined` removes the value. */
  onChange: (name: string, value: unknown) => void
  errorOf: (path: string) => string | undefined
}

/** What a webhook adds to its requests. Most receivers need none of it, so it is folded at first. */
function RequestOptions({ data, onChange, errorOf }: RequestOptionsProps) {
  const [typed, setTyped] = useState(() => linesFor(data.headers))
  // A newer version of the destination has other headers.
  if (JSON.stringify(data.headers) !== JSON.stringify(typed.headers)) setTyped(linesFor(data.headers))
  const { lines } = typed
  const headerError = Object.keys(headersOfLines(lines) ?? {}).flatMap((name) => {
    const message = errorOf(`data.headers.${name}`)
    return message === undefined ? [] : [`${name}: ${message}`]
  })[0]
  return (
    <details open={data.headers !== undefined || data.body !== undefined}>
      <summary>Headers and body</summary>
      <Stack gap="md" mt="sm">
        <Textarea
          label="Headers"
          description="One per line, for example: Authorization: Bearer abc"
          autosize
          minRows={2}
          maxRows={10}
          value={lines}
          onChange={(event) => {
            const lines = event.currentTarget.value
            const headers = headersOfLines(lines)
            setTyped({ lines, headers })
            onChange('headers', headers)
          }}
          error={headerError ?? errorOf('data.headers')}
        />
        <Textarea
          label="Body"
          description='Leave it empty for the default body. Otherwise write a template that renders to JSON, for example: {"text": "{{message.title}}", "raw": {{raw}}}'
          autosize
          minRows={2}
          maxRows={20}
          value={typeof data.body === 'string' ? data.body : ''}
          onChange={(event) => onChange('body', event.currentTarget.value || undefined)}
          error={errorOf('data.body')}
        />
      </Stack>
    </details>
  )
}

/** The lines that the user edits, and the headers that they mean. */
function linesFor(headers: unknown) {
  return { lines: linesOfHeaders(headers), headers }
}
