import { useEffectEvent, useRef } from 'react'

/** A text of this many characters is reported after a pause in typing. */
export const longTextMin = 10_000
const pauseMs = 400

/** A string or a document of CodeMirror. */
type TypedText = { readonly length: number; toString(): string }

/**
 * Tells the parent what was typed into a field that owns its text: a short text with each key, a long one after a pause or
 * at a flush. The parent checks and compares the whole text, which takes too long to do it with each key.
 */
export function useTextReports(value: string, onChange: ((text: string) => void) | undefined) {
  // The last text that the parent gave or got.
  const known = useRef(value)
  const waiting = useRef<{ text: TypedText; timer: ReturnType<typeof setTimeout> | undefined }>(undefined)
  const drop = () => {
    clearTimeout(waiting.current?.timer)
    waiting.current = undefined
  }
  const flush = useEffectEvent(() => {
    const text = waiting.current?.text
    drop()
    if (text === undefined) return
    known.current = text.toString()
    onChange?.(known.current)
  })
  const changed = useEffectEvent((text: TypedText) => {
    drop()
    const isLong = text.length >= longTextMin
    waiting.current = { text, timer: isLong ? setTimeout(() => flush(), pauseMs) : undefined }
    if (!isLong) flush()
  })
  /** True if the parent has another text than the field reported. What waits is dropped then. */
  const isReplaced = useEffectEvent((value: string) => {
    if (value === known.current) return false
    known.current = value
    drop()
    return true
  })
  return { changed, flush, isReplaced }
}
