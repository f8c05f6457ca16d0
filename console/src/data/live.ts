import type { StreamEvent } from '@tocsin/contract'
import type { ServerEvent } from '@tocsin/sdk'
import { useEffect, useEffectEvent, useState } from 'react'
import { api } from './api.ts'

const retryMs = 3_000

/**
 * Receives the events of a workspace while the page is open and returns whether the stream is connected. The stream
 * reconnects when it ends. Events in between are lost, so pages that need every change reload their lists in `onOpen`.
 */
export function useLive(workspace: string | undefined, onEvent: (event: StreamEvent) => void, onOpen?: () => void) {
  const [isOpen, setOpen] = useState(false)
  const handle = useEffectEvent(onEvent)
  const opened = useEffectEvent(() => onOpen?.())
  useEffect(() => {
    if (workspace === undefined) return
    const controller = new AbortController()
    const changeOpen = (isOpen: boolean) => {
      if (controller.signal.aborted) return
      setOpen(isOpen)
      if (isOpen) opened()
    }
    void readEvents(workspace, controller.signal, (event) => handle(event), changeOpen)
    return () => controller.abort()
  }, [workspace])
  return isOpen
}

async function readEvents(
  workspace: string,
  signal: AbortSignal,
  handle: (event: StreamEvent) => void,
  changeOpen: (isOpen: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await api.streamEvents({ query: { workspace }, signal })
      changeOpen(true)
      for await (const event of events) {
        if (isKnown(event)) handle(event)
      }
    } catch {
      // The network failed, or the server is down or refused the stream. The loop tries again until the page closes.
    }
    changeOpen(false)
    await pause(retryMs, signal)
  }
}

/** Ignores event types that a later version of the service may add. */
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
