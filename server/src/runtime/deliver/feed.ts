import type { PendingDelivery } from '../../store/alerts/deliveries.ts'

/** `isLast`: probably nothing more is due. */
type Fetched = { deliveries: PendingDelivery[]; isLast: boolean }
type Fetch = (open: readonly string[]) => Promise<Fetched>

/**
 * Hands out deliveries one by one and fetches the next ones while the last are being sent. Deliveries that are handed out
 * and not recorded yet are still pending in the store, so each fetch excludes them by id.
 */
export class Feed {
  private readonly fetch: Fetch
  private readonly refillBelow: number
  private readonly ready: PendingDelivery[] = []
  private readonly open = new Set<string>()
  private fetching: Promise<void> | undefined
  /** Nothing more is fetched. */
  isOver = false
  private isStopped = false

  constructor(fetch: Fetch, refillBelow: number) {
    this.fetch = fetch
    this.refillBelow = refillBelow
  }

  /** Undefined when nothing more is due now, or the feed was stopped. */
  async next(): Promise<PendingDelivery | undefined> {
    while (this.ready.length === 0 && (this.fetching || !this.isOver)) await this.refill()
    return this.takeReady()
  }

  /** Undefined when no delivery was fetched ahead. */
  takeReady(): PendingDelivery | undefined {
    const delivery = this.ready.shift()
    // An error of this fetch may be ignored: the next call fetches again and throws it.
    if (this.ready.length < this.refillBelow && !this.isOver) this.refill().catch(() => undefined)
    return delivery
  }

  /** Fetches the first deliveries and returns their number. */
  async fill(): Promise<number> {
    await this.refill()
    return this.ready.length
  }

  markRecorded(deliveries: readonly PendingDelivery[]): void {
    for (const { id } of deliveries) this.open.delete(id)
  }

  /** Deliveries that were fetched and not handed out stay pending. */
  stop(): void {
    this.isOver = true
    this.isStopped = true
    this.ready.length = 0
  }

  /** Stops, and waits for the fetch that is under way. */
  async end(): Promise<void> {
    this.stop()
    await this.fetching?.catch(() => undefined)
  }

  /** A feed that was stopped hands out nothing more. */
  private keep(deliveries: readonly PendingDelivery[]): void {
    if (!this.isStopped) this.ready.push(...deliveries)
  }

  private refill(): Promise<void> {
    this.fetching ??= this.fetchMore().finally(() => {
      this.fetching = undefined
    })
    return this.fetching
  }

  private async fetchMore(): Promise<void> {
    const { deliveries, isLast } = await this.fetch([...this.open])
    for (const { id } of deliveries) this.open.add(id)
    this.keep(deliveries)
    if (isLast || deliveries.length === 0) this.isOver = true
  }
}
