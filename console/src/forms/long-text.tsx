import { Textarea, type TextareaProps } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'

type LongTextProps = Omit<TextareaProps, 'onChange' | 'autosize'> & {
  value: string
  onText: (text: string) => void
  maxRows: number
  /** Set in the monospaced font, without spelling marks. */
  isCode?: boolean
}

/**
 * A field for text of many lines. It grows with its text up to `maxRows` and scrolls from there: a field as tall as
 * thousands of lines would be laid out as a whole after every key.
 */
export function LongText({ onText, isCode = false, ...rest }: LongTextProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = useEffectEvent((event: InputEvent) => field.current && insertAtOnce(event, field.current, onText))
  // React's own event of this name has no input type, so the browser's is listened to.
  useEffect(() => {
    const place = field.current
    const listen = (event: InputEvent) => insert(event)
    place?.addEventListener('beforeinput', listen)
    return () => place?.removeEventListener('beforeinput', listen)
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
 * Inserts text of several lines as one change. Chromium inserts it line by line and updates the layout after each one,
 * which takes time and memory with the square of the lines; dictation, input methods and extensions insert that way.
 */
function insertAtOnce(event: InputEvent, field: HTMLTextAreaElement, onText: (text: string) => void): void {
  const { data, inputType } = event
  if (inputType !== 'insertText' || !data?.includes('\n')) return
  event.preventDefault()
  field.setRangeText(data, field.selectionStart, field.selectionEnd, 'end')
  onText(field.value)
}
