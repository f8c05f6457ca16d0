import { Textarea, type TextareaProps } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'

type LongTextProps = Omit<TextareaProps, 'onChange' | 'autosize'> & {
  value: string
  onText: (text: string) => void
  maxRows: number
  /** Uses the monospaced font, without spell checking. */
  isCode?: boolean
}

/**
 * A field for text of many lines. It grows up to `maxRows` and then scrolls. Without this limit the browser would lay
 * out thousands of lines after every key.
 */
export function LongText({ onText, isCode = false, ...rest }: LongTextProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = useEffectEvent((event: InputEvent) => field.current && insertAtOnce(event, field.current, onText))
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
      autosize
      onChange={(event) => onText(event.currentTarget.value)}
      {...(isCode && { spellCheck: false, classNames: { input: 'mono' } })}
      {...rest}
    />
  )
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
