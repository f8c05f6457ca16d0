import type { StreamEvent } from '@tocsin/contract'
import type { ServerEvent } from '@tocsin/sdk'
import { useEffect, useEffectEvent, useState } from 'react'
import { api } from './api.ts'

const retryMs = 3_000

/**
 * Hears what happens in a workspace while the page is shown. Answers whether the stream stands; it is opened again
 * when it ends, and pages that need every change read their lists anew when `onOpen` is called.
 */
export function useLive(workspace: string | undefined, onEvent: (event: StreamEvent) => void, onOpen?: () => void) {
  const [isOpen, setOpen] = useState(false)
  const hear = useEffectEvent(onEvent)
  const opened = useEffectEvent(() => onOpen?.())
  useEffect(() => {
    if (workspace === undefined) return
    const left = new AbortController()
    const tell = (isOpen: boolean) => {
      if (left.signal.aborted) return
      setOpen(isOpen)
      if (isOpen) opened()
    }
    void follow(workspace, left.signal, (event) => hear(event), tell)
    return () => left.abort()
  }, [workspace])
  return isOpen
}

async function follow(
  workspace: string,
  signal: AbortSignal,
  hear: (event: StreamEvent) => void,
  tell: (isOpen: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await api.streamEvents({ query: { workspace }, signal })
      tell(true)
      for await (const event of events) {
        if (isKnown(event)) hear(event)
      }
    } catch {
      // The network failed, the server went away or does not let us in: tried again until the page is left.
    }
    tell(false)
    await pause(retryMs, signal)
  }
}

/** Events that later versions add are not ours to hear. */
function isKnown(event: ServerEvent): event is StreamEvent {
  return event.event === 'alert' || event.event === 'source'
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
