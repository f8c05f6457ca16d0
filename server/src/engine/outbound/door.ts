/** The types of the door: the guarded way to addresses that users wrote. */

export type Door = {
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  webSocket(url: string, options: { timeoutMs: number; messageBytesMax?: number }): Promise<WebSocket>
}

/** The door for deliveries: one request (POST by default), no redirects, the answer cut at `responseBytesMax`. */
export type PostDoor = {
  post(url: string, request: OutboundPost): Promise<OutboundResponse>
  /** Sends a webhook from a worker thread, in the order of its queue. Throws NotSent if the webhook was not sent. */
  enqueue(queue: WebhookQueue, webhook: QueuedWebhook): Promise<QueuedAnswer>
}

export type OutboundPost = {
  method?: 'POST' | 'PATCH'
  headers: Record<string, string>
  body: string
  timeoutMs: number
  responseBytesMax: number
  /** Aborts when the caller no longer waits. */
  signal?: AbortSignal
}

/** A message in the form of Standard Webhooks. `timestamp` is in seconds. */
export type Webhook = { id: string; timestamp: string; body: string }
/** The thread that sends the webhook joins the parts of its body, so that other threads need not copy them. */
export type QueuedWebhook = Omit<Webhook, 'body'> & { parts: readonly string[] }

/** A queue of webhooks to one URL. `keys` (base64) sign them; at most `atOnce` are in flight. */
export type WebhookQueue = {
  name: string
  url: string
  keys: readonly string[]
  /** Headers that the receiver wants in addition, with names in lower case. */
  headers: Record<string, string>
  atOnce: number
  timeoutMs: number
  responseBytesMax: number
}

/**
 * `headers` and `text` are empty if the status is 2xx. `tookMs` counts from the start of the request, without the time in the
 * queue.
 */
export type QueuedAnswer = { status: number; headers: Record<string, string>; text: string; tookMs: number }

export type OutboundRequest = {
  method?: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  responseBytesMax: number
  /** Refuses a redirect to another origin. */
  staysAtOrigin?: boolean
  /** Gets the body in pieces if the status is 2xx; `text` is then empty. */
  takeBody?(chunk: Uint8Array): void
}

export type OutboundResponse = { status: number; headers: Record<string, string>; text: string; url: string }

/** The webhook was not sent, because an earlier one of its queue failed or the queue was too slow. The caller decides again. */
export class NotSent extends Error {
  constructor() {
    super('The webhook was not sent.')
  }
}
