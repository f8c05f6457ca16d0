import { useState } from 'react'
import { CodeEditor } from '../../editor/code-editor.tsx'
import type { FieldProps } from './schema-fields.tsx'

/** What has no form of its own is written as JSON; only what can be read is kept. */
export function JsonField({ field, value, onChange, error }: FieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [problem, setProblem] = useState<string>()
  const read = (next: string) => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next))
      setProblem(undefined)
    } catch {
      setProblem('This is not JSON yet')
    }
  }
  return (
    <CodeEditor
      label={field.isRequired ? `${field.title} *` : field.title}
      description={field.description ?? 'As JSON.'}
      language="json"
      value={text}
      onChange={read}
      error={problem ?? error}
    />
  )
}
