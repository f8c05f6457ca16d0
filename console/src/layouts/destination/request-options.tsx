import { Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { headersOfLines, linesOfHeaders } from './header-lines.ts'

export const requestOptions = ['headers', 'body']

type RequestOptionsProps = {
  data: Record<string, unknown>
  /** `undefined` removes the value. */
  onChange: (name: string, value: unknown) => void
  errorOf: (path: string) => string | undefined
}

/** What a webhook adds to its requests. Most receivers need none of it, so it is folded at first. */
export function RequestOptions({ data, onChange, errorOf }: RequestOptionsProps) {
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
