import type { StreamEvent } from '@tocsin/contract'
import { ApiError } from './error.ts'
import type { ServerEvent } from './events.ts'
import type { CallRoute, ClientOptions } from './request.ts'
import { backoffMs, isPassing, pause, send } from './retry.ts'

/** An event of the service. `id` is the position to resume after. */
export type LiveEvent = StreamEvent & { id?: string }
export type StreamArgs = {
  /** Only events of this workspace. */
  workspace?: string
  /** Begins after the event with this id, instead of now. */
  lastEventId?: string
  /** Ends the stream; the loop over it then ends without an error. */
  signal?: AbortSignal
  /** Called after each connect. */
  onOpen?: () => void
}

/** The service sends something at least every 15 s, so a connection that is silent for this time is dead. */
const silenceMsMax = 45_000
/** How many alerts and sources the stream remembers. */
const rememberedMax = 1_000
const known: ReadonlySet<string> = new Set(['alert', 'source', 'gap'])

/**
 * Yields events without an end. When the connection ends, it connects again and names the last event, and the service
 * sends what was missed. A reconnect can repeat the state of a source or an alert: what is known is not yielded again.
 */
export async function* streamEvents(
  options: ClientOptions,
  route: CallRoute,
  { workspace, signal, onOpen, ...args }: StreamArgs,
): AsyncGenerator<LiveEvent, void, undefined> {
  const isNews = makeNewsFilter()
  let { lastEventId } = args
  let failures = 0
  let wasOpen = false
  while (!signal?.aborted) {
    const connection = watchSilence(signal)
    try {
      const call = {
        query: { workspace },
        signal: connection.signal,
        ...(lastEventId !== undefined && { lastEventId }),
      }
      const onId = (id: string) => {
        lastEventId = id
      }
      const listeners = { onId, onBytes: connection.renew }
      // The first connect is retried like every other call. Later the loop connects again as long as it takes.
      const { body } = await send(options, route, { ...call, ...(wasOpen && { retries: 0 }) }, listeners)
      ;[wasOpen, failures] = [true, 0]
      onOpen?.()
      for await (const event of body as AsyncIterable<ServerEvent>) if (isLive(event) && isNews(event)) yield event
    } catch (error) {
      if (!signal?.aborted && (!wasOpen || !isLost(error, connection.signal))) throw error
    } finally {
      connection.stop()
    }
    await pause(backoffMs(options, failures++), signal).catch(() => undefined)
  }
}

/** Event types that a later version of the service adds are left out. */
function isLive(event: ServerEvent): event is LiveEvent {
  return known.has(event.event)
}

/** The service may not have noticed the end of the last connection yet, and counts it against the limit of streams. */
function isLost(error: unknown, connection: AbortSignal): boolean {
  if (error instanceof ApiError) return isPassing(error) || error.status >= 500 || error.code === 'limit_reached'
  // A connection that breaks while it is read throws the error of `fetch`: a TypeError, or the abort of a silent one.
  return isPassing(error) || error instanceof TypeError || connection.aborted
}

/** True for an event that differs from the last one about the same alert or source. */
function makeNewsFilter(): (event: LiveEvent) => boolean {
  const last = new Map<string, string>()
  return ({ event, data }) => {
    if (event === 'gap') return true
    const key = event === 'alert' ? data.id : data.fullname
    const text = JSON.stringify(data)
    if (last.get(key) === text) return false
    last.delete(key)
    last.set(key, text)
    for (const oldest of last.keys()) {
      if (last.size <= rememberedMax) break
      last.delete(oldest)
    }
    return true
  }
}

/** A signal that aborts with the caller's, or when nothing arrives for too long. */
function watchSilence(signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  let timer = setTimeout(abort, silenceMsMax)
  signal?.addEventListener('abort', abort, { once: true })
  const stop = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  const renew = () => {
    clearTimeout(timer)
    timer = setTimeout(abort, silenceMsMax)
  }
  return { signal: controller.signal, renew, stop }
}
