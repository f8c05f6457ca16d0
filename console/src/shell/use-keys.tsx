import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { OptionalPart } from '../components/patterns/optional-part.tsx'
import { notifyError } from '../data/notices.ts'
import { useCurrentWorkspace } from '../data/workspace.ts'
import { allEntries } from './navigation.ts'
import { PaletteLoader } from './palette/palette-loader.tsx'

const KeysHelp = lazy(() => import('./palette/keys-help.tsx').then(({ KeysHelp }) => ({ default: KeysHelp })))

/** How long after `g` the second key of a jump counts. */
const jumpMs = 1_500

/**
 * The keys of the console: Ctrl or ⌘ K and `/` open the palette, `?` the list of keys, and `g` with a second key jumps to
 * a page. Keys without Ctrl do nothing while the user types in a field.
 */
export function useKeys(): { openPalette: () => void; dialogs: ReactNode } {
  const [open, setOpen] = useState<'palette' | 'help'>()
  const jumpFrom = useRef(0)
  const jump = useJump()
  const press = useEffectEvent((event: KeyboardEvent) => {
    // Browsers send key events without a key when they fill in a form.
    if (!event.key) return
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return setOpen('palette')
    }
    if (open || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (event.timeStamp - jumpFrom.current < jumpMs && jump(event.key)) {
      jumpFrom.current = 0
      return event.preventDefault()
    }
    jumpFrom.current = event.key === 'g' ? event.timeStamp : 0
    if (event.key !== '/' && event.key !== '?') return
    event.preventDefault()
    setOpen(event.key === '/' ? 'palette' : 'help')
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  const close = () => setOpen(undefined)
  const fail = () => {
    close()
    notifyError('This part of the console could not be loaded. Check the connection and reload the page.')
  }
  const dialogs = (
    <>
      {open === 'palette' && <PaletteLoader close={close} fail={fail} />}
      {open === 'help' && (
        <OptionalPart onFailure={fail}>
          <KeysHelp close={close} />
        </OptionalPart>
      )}
    </>
  )
  return { openPalette: () => setOpen('palette'), dialogs }
}

/** Opens the page of a jump key. Returns false if there is none. */
function useJump(): (key: string) => boolean {
  const navigate = useNavigate()
  const { current } = useCurrentWorkspace()
  return (key) => {
    const entry = allEntries.find((one) => one.key === key)
    if (!entry || (!current && !entry.isGlobal)) return false
    void navigate(entry.link(current?.fullname ?? ''))
    return true
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
  )
}
