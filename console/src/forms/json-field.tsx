import { useState } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import { readJson } from './json.ts'

type JsonFieldProps = {
  label: string
  description?: string
  value: unknown
  /** Called with what was typed whenever it is JSON; an empty field is undefined. */
  onChange: (value: unknown) => void
  /** What the value may be; other JSON is refused beside the field. */
  accepts?: (value: unknown) => boolean
  refusal?: string
  minHeight?: number
  error?: string | undefined
}

/** A value as JSON text. While the text is not JSON it is kept as typed, and the value stays as it was. */
export function JsonField({ value, onChange, accepts, refusal, error, ...rest }: JsonFieldProps) {
  const [typed, setTyped] = useState(() => ({ text: textOf(value), means: textOf(value) }))
  const [problem, setProblem] = useState<string>()
  const outside = textOf(value)
  if (outside !== typed.means) {
    setTyped({ text: outside, means: outside })
    setProblem(undefined)
  }
  const type = (text: string) => {
    const read = readJson(text)
    const isRefused = read.ok && accepts !== undefined && read.value !== undefined && !accepts(read.value)
    setProblem(read.ok ? (isRefused ? (refusal ?? 'This is not what belongs here.') : undefined) : read.message)
    if (!read.ok || isRefused) return setTyped({ text, means: outside })
    setTyped({ text, means: textOf(read.value) })
    onChange(read.value)
  }
  return <CodeEditor language="json" value={typed.text} onChange={type} error={problem ?? error} {...rest} />
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
