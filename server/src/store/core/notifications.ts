import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectionOptions } from './connection-options.ts'

/**
 * Notices of PostgreSQL (NOTIFY), received on one connection for all channels of a process. A notice only makes a loop
 * faster: every loop must find its work without notices too. While `isUp`, notices arrive and loops may poll slowly.
 */
export type Notifications = {
  readonly isUp: boolean
  /** Calls back for each notice, and with no payload after each connection, because notices may have been missed. */
  listen(channel: string, onNotice: OnNotice): void
  close(): Promise<void>
}
type OnNotice = (payload: string | undefined) => void

/** The channel on which the database's triggers report changes; the payload names the table. */
export const changesChannel = 'tocsin'

const probeEveryMs = 15_000
const probeTimeoutDefaultMs = 5_000
const retryFirstMs = 1_000
const retryMaxMs = 60_000

/**
 * States: closed → (the first `listen`) → connecting → up → (the connection ends, or a probe is not answered) → waiting →
 * connecting. A probe is a notice to ourselves. It shows that notices really arrive: a proxy that pools transactions accepts
 * LISTEN and passes no notice on.
 */
export class PgNotifications implements Notifications {
  readonly #url: string
  readonly #probeTimeoutMs: number
  readonly #probeChannel = `tocsin_probe_${randomUUID().replaceAll('-', '')}`
  readonly #listeners: { channel: string; onNotice: OnNotice }[] = []
  #state: 'closed' | 'connecting' | 'up' | 'waiting' | 'ended' = 'closed'
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #onProbe: () => void = () => undefined
  #statements: Promise<unknown> = Promise.resolve()

  constructor(url: string, probeTimeoutMs = probeTimeoutDefaultMs) {
    this.#url = url
    this.#probeTimeoutMs = probeTimeoutMs
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  listen(channel: string, onNotice: OnNotice): void {
    this.#listeners.push({ channel, onNotice })
    if (this.#state === 'closed') void this.#connect()
    // A connection that is being made listens to every channel that is known when it is up.
    if (this.#client && this.isUp) this.#run(this.#client, `listen ${channel}`).then(() => onNotice(undefined), ignore)
  }

  async close(): Promise<void> {
    this.#state = 'ended'
    clearTimeout(this.#timer)
    await this.#disconnect()
  }

  async #connect(): Promise<void> {
    this.#state = 'connecting'
    const client = new pg.Client({ ...connectionOptions(this.#url), connectionTimeoutMillis: 5_000, keepAlive: true })
    this.#client = client
    this.#statements = Promise.resolve()
    client.on('error', () => this.#fail(client))
    client.on('end', () => this.#fail(client))
    client.on('notification', ({ channel, payload }) => this.#handle(channel, payload))
    try {
      await client.connect()
      await this.#run(client, `listen ${this.#probeChannel}`)
      await this.#probe(client)
      const channels = new Set(this.#listeners.map(({ channel }) => channel))
      if (this.#client !== client) return
      this.#state = 'up'
      for (const channel of channels) await this.#run(client, `listen ${channel}`)
      this.#failures = 0
      for (const { onNotice } of this.#listeners) onNotice(undefined)
      this.#probeLater(client)
    } catch {
      this.#fail(client)
    }
  }

  /** A connection takes one statement at a time. */
  #run(client: pg.Client, statement: string): Promise<unknown> {
    const result = this.#statements.then(() => client.query(statement))
    this.#statements = result.catch(ignore)
    return result
  }

  #handle(channel: string, payload: string | undefined): void {
    if (channel === this.#probeChannel) this.#onProbe()
    for (const listener of this.#listeners) if (listener.channel === channel) listener.onNotice(payload)
  }

  async #probe(client: pg.Client): Promise<void> {
    const { promise: arrived, resolve, reject } = Promise.withResolvers<void>()
    this.#onProbe = resolve
    const timer = setTimeout(() => reject(new Error('the probe did not arrive')), this.#probeTimeoutMs)
    try {
      await Promise.all([this.#run(client, `notify ${this.#probeChannel}`), arrived])
    } finally {
      clearTimeout(timer)
    }
  }

  #probeLater(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      this.#probe(client).then(
        () => this.#client === client && this.#probeLater(client),
        () => this.#fail(client),
      )
    }, probeEveryMs)
  }

  #fail(client: pg.Client): void {
    if (this.#client !== client || this.#state === 'ended') return
    clearTimeout(this.#timer)
    void this.#disconnect()
    this.#state = 'waiting'
    this.#timer = setTimeout(() => void this.#connect(), Math.min(retryMaxMs, retryFirstMs * 2 ** this.#failures))
    this.#failures += 1
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    client?.removeAllListeners()
    // A connection that breaks while it is closed must not end the process.
    client?.on('error', ignore)
    await client?.end().catch(ignore)
  }
}

function ignore(): void {}
