import { Textarea, type TextareaProps } from '@mantine/core'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { longTextMin, useTextReports } from '../editor/use-text-reports.ts'

type LongTextProps = Omit<TextareaProps, 'onChange' | 'autosize' | 'rows'> & {
  value: string
  onText: (text: string) => void
  minRows?: number
  maxRows: number
  /** Uses the monospaced font, without spell checking. */
  isCode?: boolean
}

/**
 * A field for text of many lines. It grows with the text up to `maxRows` and then scrolls. The browser owns the text:
 * React would copy all of it into the page with each key.
 */
export function LongText({ value, onText, isCode = false, minRows = 1, maxRows, ...rest }: LongTextProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [first] = useState(value)
  const [shape, setShape] = useState(() => shapeOf(value, minRows, maxRows))
  const { changed, flush, isReplaced } = useTextReports(value, onText)
  const reshape = useEffectEvent((text: string) => {
    const next = shapeOf(text, minRows, maxRows)
    if (next.rows !== shape.rows || next.isLong !== shape.isLong) setShape(next)
  })
  const type = useEffectEvent((text: string) => {
    reshape(text)
    changed(text)
  })
  const replace = useEffectEvent((text: string) => {
    if (!field.current || !isReplaced(text)) return
    field.current.value = text
    reshape(text)
  })
  useLayoutEffect(() => replace(value), [value])
  const leave = useEffectEvent(() => flush())
  useEffect(() => () => leave(), [])
  const insert = useEffectEvent((event: InputEvent) => field.current && insertAtOnce(event, field.current, type))
  // React's event has no inputType, so this listens to the browser's event.
  useEffect(() => {
    const element = field.current
    const listen = (event: InputEvent) => insert(event)
    element?.addEventListener('beforeinput', listen)
    return () => element?.removeEventListener('beforeinput', listen)
  }, [])
  return (
    <Textarea
      ref={field}
      defaultValue={first}
      rows={shape.rows}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => flush()}
      {...(isCode && { classNames: { input: 'mono' } })}
      {...((isCode || shape.isLong) && { spellCheck: false })}
      {...(shape.isLong && { wrap: 'off' })}
      {...rest}
    />
  )
}

/** The browser breaks and checks all lines of a long text with each key, so it does neither there. */
function shapeOf(text: string, minRows: number, maxRows: number) {
  return { rows: rowsOf(text, minRows, maxRows), isLong: text.length >= longTextMin }
}

/**
 * Inserts text of several lines as one change. Chromium inserts it line by line and updates the layout after each line,
 * so time and memory grow with the square of the lines. Dictation, input methods and extensions insert text this way.
 */
function insertAtOnce(event: InputEvent, field: HTMLTextAreaElement, onText: (text: string) => void): void {
  const { data, inputType } = event
  if (inputType !== 'insertText' || !data?.includes('\n')) return
  event.preventDefault()
  field.setRangeText(data, field.selectionStart, field.selectionEnd, 'end')
  onText(field.value)
}

const charactersPerRow = 80

/**
 * The rows that a text needs, from `min` to `max`. It stops counting at `max`, so a long text costs no more than a short
 * one. Measuring the text in the page instead would lay out all of its lines after every key.
 */
export function rowsOf(text: string, min: number, max: number): number {
  let rows = 0
  let from = 0
  while (rows < max && from <= text.length) {
    const end = text.indexOf('\n', from)
    const length = (end === -1 ? text.length : end) - from
    rows += Math.max(1, Math.ceil(length / charactersPerRow))
    if (end === -1) break
    from = end + 1
  }
  return Math.min(Math.max(rows, min), max)
}
