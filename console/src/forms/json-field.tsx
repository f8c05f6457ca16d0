import { useState } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import { readJson } from './json.ts'
import type { Kept } from './unread.ts'

type JsonFieldProps = {
  label: string
  description?: string
  value: unknown
  /** Called with what was typed whenever it is JSON; an empty field is undefined. */
  onChange: (value: unknown) => void
  /** What the value may be; other JSON is refused beside the field. */
  accepts?: (value: unknown) => boolean
  refusal?: string
  /** Nothing typed is refused too. */
  isRequired?: boolean
  /** Keeps text that cannot be read, so that a save can be stopped and the text outlives the field. */
  kept?: Kept
  minHeight?: number
  error?: string | undefined
}

/** A value as JSON text. While the text is not JSON it is kept as typed, and the value stays as it was. */
export function JsonField({
  value,
  onChange,
  accepts,
  refusal,
  isRequired = false,
  kept,
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
    if (kept) return kept.keep({ text, problem: why })
    setTyped({ text, means: outside })
    setProblem(why)
  }
  const type = (text: string) => {
    const read = readJson(text)
    if (!read.ok) return refuse(text, read.message)
    const isTyped = isRequired || read.value !== undefined
    if (accepts && isTyped && !accepts(read.value)) return refuse(text, refusal ?? 'This value does not belong here.')
    setTyped({ text, means: textOf(read.value) })
    setProblem(undefined)
    kept?.keep(undefined)
    onChange(read.value)
  }
  const [text, why] = kept ? [kept.unread?.text ?? typed.text, kept.unread?.problem] : [typed.text, problem]
  return <CodeEditor language="json" value={text} onChange={type} error={why ?? error} {...rest} />
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
