import { lazy, useEffect, useEffectEvent, useState } from 'react'
import { OptionalPart } from '../../components/patterns/optional-part.tsx'
import { queryMax } from './query-max.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))

/** Opens the palette. What is typed before its file has arrived and its field has the focus goes into the field too. */
export function PaletteLoader({ close, fail }: { close: () => void; fail: () => void }) {
  const [query, setQuery] = useState('')
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isInPalette(event.target)) return
    const { key } = event
    if (key === 'Escape') close()
    else if (key === 'Backspace') setQuery((typed) => typed.slice(0, -1))
    else if (key.length === 1) setQuery((typed) => (typed + key).slice(0, queryMax))
    else if (key !== 'Enter') return
    // The key must not reach the field or the button that has the focus on the page.
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
  return (
    <OptionalPart onFailure={fail}>
      <Palette close={close} query={query} setQuery={setQuery} />
    </OptionalPart>
  )
}

function isInPalette(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[data-palette]') !== null
}
