import { useState } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import type { InvalidTextSlot } from './invalid-text.tsx'
import { readJson } from './json.ts'

type JsonFieldProps = {
  label: string
  description?: string
  value: unknown
  /** Called with the parsed value when the text is JSON. An empty field is undefined. */
  onChange: (value: unknown) => void
  /** Checks the value. The field shows `refusal` if this returns false. */
  accepts?: (value: unknown) => boolean
  refusal?: string
  /** An empty field is refused. */
  isRequired?: boolean
  /** Stores invalid text outside the field, so that the form can refuse to save and the text survives a tab change. */
  invalidText?: InvalidTextSlot
  minHeight?: number
  error?: string | undefined
}

/** Edits a value as JSON text. While the text is invalid, the value does not change. */
export function JsonField({
  value,
  onChange,
  accepts,
  refusal,
  isRequired = false,
  invalidText,
  error,
  ...rest
}: JsonFieldProps) {
  const outside = textOf(value)
  const [typed, setTyped] = useState({ text: outside, means: outside })
  const [problem, setProblem] = useState<string>()
  if (outside !== typed.means) {
    setTyped({ text: outside, means: outside })
    setProblem(undefined)
  }
  const refuse = (text: string, why: string) => {
    if (invalidText) return invalidText.set({ text, problem: why })
    setTyped({ text, means: outside })
    setProblem(why)
  }
  const type = (text: string) => {
    const read = readJson(text)
    if (!read.ok) return refuse(text, read.message)
    const isTyped = isRequired || read.value !== undefined
    if (accepts && isTyped && !accepts(read.value)) return refuse(text, refusal ?? 'This value is not allowed here.')
    setTyped({ text, means: textOf(read.value) })
    setProblem(undefined)
    invalidText?.set(undefined)
    onChange(read.value)
  }
  const [text, why] = invalidText
    ? [invalidText.current?.text ?? typed.text, invalidText.current?.problem]
    : [typed.text, problem]
  return <CodeEditor language="json" value={text} onChange={type} error={why ?? error} {...rest} />
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
