/** The guarded door to addresses that users wrote: what callers pass in and get back. */

/** The one way to addresses that users wrote: see outbound.ts. */
export type Door = {
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  webSocket(url: string, options: { timeoutMs: number; messageBytesMax?: number }): Promise<WebSocket>
}

/** The same door for messages that go out: one request (POST unless told), redirects not followed, the answer cut at `responseBytesMax`. */
export type PostDoor = {
  post(url: string, request: OutboundPost): Promise<OutboundResponse>
  /** On a thread of its own, where those of one queue wait for their turn. Throws NotSent where it did not come. */
  enqueue(queue: WebhookQueue, webhook: Webhook): Promise<QueuedAnswer>
}

export type OutboundPost = {
  method?: 'POST' | 'PATCH'
  headers: Record<string, string>
  body: string
  timeoutMs: number
  responseBytesMax: number
  /** Whoever asked does not wait any longer. */
  signal?: AbortSignal
}

/** A message after Standard Webhooks; the time in seconds. */
export type Webhook = { id: string; timestamp: string; body: string }

/** Where webhooks go, the keys that sign them, in base64, and how many may be on their way at once. */
export type WebhookQueue = { name: string; url: string; keys: readonly string[]; atOnce: number; timeoutMs: number }

/** Headers only of an answer that is no success; the time from when its turn came. */
export type QueuedAnswer = { status: number; headers: Record<string, string>; tookMs: number }

export type OutboundRequest = {
  method?: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  responseBytesMax: number
}

export type OutboundResponse = { status: number; headers: Record<string, string>; text: string; url: string }

/** Another of the same queue did not arrive, or all took too long: whoever asked may want to do something else now. */
export class NotSent extends Error {
  constructor() {
    super('It was not sent.')
  }
}
