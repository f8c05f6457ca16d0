/** The types of the door: the guarded way to addresses that users wrote. */

export type Door = {
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  webSocket(url: string, options: { timeoutMs: number; messageBytesMax?: number }): Promise<WebSocket>
}

/** The door for deliveries: one request (POST by default), no redirects, the answer cut at `responseBytesMax`. */
export type PostDoor = {
  post(url: string, request: OutboundPost): Promise<OutboundResponse>
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
