import { Button, Group, PasswordInput, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { headersOfLines, linesOfHeaders } from './header-lines.ts'
import { newWebhookSecret } from './webhook-secret.ts'

/** The fields of a webhook that have inputs of their own. */
export const webhookFields = ['secret', 'headers', 'body']

type WebhookFieldsProps = {
  data: Record<string, unknown>
  /** `undefined` removes the value. */
  onChange: (name: string, value: unknown) => void
  errorOf: (path: string) => string | undefined
}

export function WebhookFields(props: WebhookFieldsProps) {
  const { data, onChange, errorOf } = props
  return (
    <>
      <SecretField
        value={typeof data.secret === 'string' ? data.secret : ''}
        onChange={(secret) => onChange('secret', secret || undefined)}
        error={errorOf('secret')}
      />
      <RequestOptions {...props} />
    </>
  )
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

/** What a webhook adds to its requests. Most receivers need none of it, so it is folded at first. */
function RequestOptions({ data, onChange, errorOf }: WebhookFieldsProps) {
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
