import type { Connect } from './connect.ts'
import { type Call, type Endpoint, HttpConnection } from './connection.ts'

const connectionsMax = 64
/** Shorter than the idle timeout of most servers. */
const idleMs = 4_000
/** A connection is closed this long before the server's announced idle timeout. */
const marginMs = 1_000
const sweepMs = 1_000

/** Keep-alive connections by origin: at most `connectionsMax` each, further calls wait. */
export class ConnectionPool {
  private readonly connect: Connect
  private readonly origins = new Map<string, OriginPool>()
  private sweepTimer: NodeJS.Timeout | undefined

  constructor(connect: Connect) {
    this.connect = connect
  }

  /** Sends a call. `isFresh` demands a new connection. */
  send(endpoint: Endpoint, call: Call, isFresh: boolean): void {
    this.sweepTimer ??= setInterval(() => this.sweep(), sweepMs).unref()
    let origin = this.origins.get(endpoint.origin)
    if (!origin) {
      origin = new OriginPool(this.connect, endpoint)
      this.origins.set(endpoint.origin, origin)
    }
    origin.send(call, isFresh)
  }

  /** Cancels a call. A call that still waits for a connection is not sent. */
  cancel({ origin }: Endpoint, call: Call, error: unknown): void {
    this.origins.get(origin)?.cancel(call, error)
  }

  close(): void {
    clearInterval(this.sweepTimer)
    for (const origin of this.origins.values()) origin.close()
    this.origins.clear()
  }

  private sweep(): void {
    for (const [name, origin] of this.origins) if (origin.sweep()) this.origins.delete(name)
    if (this.origins.size > 0) return
    clearInterval(this.sweepTimer)
    this.sweepTimer = undefined
  }
}

class OriginPool {
  private readonly connect: Connect
  private readonly endpoint: Endpoint
  private readonly all = new Set<HttpConnection>()
  /** The last idle connection is used first, so that the others reach their idle timeout. */
  private readonly idle: HttpConnection[] = []
  private readonly waiting = new Set<Call>()

  constructor(connect: Connect, endpoint: Endpoint) {
    this.connect = connect
    this.endpoint = endpoint
  }

  send(call: Call, isFresh: boolean): void {
    if (isFresh) for (const connection of [...this.idle]) connection.end()
    const connection = this.idle.pop()
    if (connection) connection.send(call)
    else if (this.all.size < connectionsMax) this.open(call)
    else this.waiting.add(call)
  }

  cancel(call: Call, error: unknown): void {
    if (this.waiting.delete(call)) call.onFailure(error, false)
    else call.connection?.end(error)
  }

  /** Closes old idle connections. Returns true if no connection is left. */
  sweep(): boolean {
    const nowMs = performance.now()
    for (const connection of [...this.idle])
      if (nowMs - connection.idleSinceMs > Math.min(idleMs, (connection.keepAliveMs ?? Infinity) - marginMs))
        connection.end()
    return this.all.size === 0
  }

  close(): void {
    for (const call of this.waiting) this.cancel(call, undefined)
    for (const connection of [...this.all]) connection.end()
  }

  private open(call: Call): void {
    const connection = new HttpConnection(this.connect, this.endpoint, call, {
      onFree: (connection) => this.release(connection),
      onEnd: (connection) => this.remove(connection),
    })
    // If the guard refuses the address, the connection is closed before the constructor returns.
    if (!connection.isClosed) this.all.add(connection)
  }

  private release(connection: HttpConnection): void {
    const next = this.takeWaiting()
    connection.idleSinceMs = performance.now()
    if (next) connection.send(next)
    else this.idle.push(connection)
  }

  private remove(connection: HttpConnection): void {
    this.all.delete(connection)
    const at = this.idle.indexOf(connection)
    if (at >= 0) this.idle.splice(at, 1)
    const next = this.takeWaiting()
    if (next) this.open(next)
  }

  private takeWaiting(): Call | undefined {
    for (const call of this.waiting) {
      this.waiting.delete(call)
      return call
    }
    return undefined
  }
}
