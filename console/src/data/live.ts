import { hashKey, keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RouteName, StreamEvent } from '@tocsin/contract'
import type { ServerEvent } from '@tocsin/sdk'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type Args, api } from './api.ts'
import { apiQuery } from './queries.ts'

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

/**
 * A call that asks again when `args` change, and shows the last answer until then. `args` must be memoised: the query's
 * hash covers all of them, and a long definition takes milliseconds to hash.
 */
export function useLiveQuery<Name extends RouteName>(name: Name, args: Args<Name>, enabled = true) {
  const options = useMemo(() => {
    const query = apiQuery(name, args)
    return { ...query, queryHash: hashKey(query.queryKey) }
  }, [name, args])
  return useQuery({ ...options, enabled, placeholderData: keepPreviousData, staleTime: 60_000, gcTime: 10_000 })
}
