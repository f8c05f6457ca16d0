import type { OpenBatch, PendingDelivery } from '../../store/alerts/deliveries.ts'

/** `isLast`: probably nothing more is due. */
type Fetched = { deliveries: PendingDelivery[]; isLast: boolean }
type Fetch = (open: readonly string[], openBatches: readonly string[]) => Promise<Fetched>

/**
 * Hands out deliveries one by one and fetches the next ones while the last are being sent. Deliveries that are handed out
 * and not recorded yet are still pending in the store, so each fetch excludes them by id. The deliveries of a batch have no
 * rows, so a fetch names their batches only.
 */
export class Feed {
  private readonly fetch: Fetch
  private readonly refillBelow: number
  private readonly ready: PendingDelivery[] = []
  private readonly open = new Set<string>()
  private readonly openBatches = new Set<OpenBatch>()
  private fetching: Promise<void> | undefined
  /** Batches of which some deliveries were fetched and will not be handed out. */
  private readonly unsent = new Set<OpenBatch>()
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

  /** Takes back a delivery that was not sent. */
  giveBack(delivery: PendingDelivery): void {
    this.keep([delivery])
  }

  markRecorded(deliveries: readonly PendingDelivery[]): void {
    for (const { id, batch } of deliveries) {
      if (!batch) this.open.delete(id)
      else if (--batch.left === 0) this.openBatches.delete(batch)
    }
  }

  /** Deliveries that were fetched and not handed out stay pending. */
  stop(): void {
    this.isOver = true
    this.isStopped = true
    this.keep(this.ready.splice(0))
  }

  /** Stops, and returns the ids of the batches of which not all deliveries were handed out. */
  async end(): Promise<string[]> {
    this.stop()
    await this.fetching?.catch(() => undefined)
    return [...this.unsent].map(({ id }) => id)
  }

  /** A feed that was stopped hands out nothing more. */
  private keep(deliveries: readonly PendingDelivery[]): void {
    for (const delivery of deliveries) {
      if (!this.isStopped) this.ready.push(delivery)
      else if (delivery.batch) this.unsent.add(delivery.batch)
    }
  }

  private refill(): Promise<void> {
    this.fetching ??= this.fetchMore().finally(() => {
      this.fetching = undefined
    })
    return this.fetching
  }

  private async fetchMore(): Promise<void> {
    const openBatches = [...this.openBatches].map(({ id }) => id)
    const { deliveries, isLast } = await this.fetch([...this.open], openBatches)
    for (const { id, batch } of deliveries) {
      if (batch) this.openBatches.add(batch)
      else this.open.add(id)
    }
    this.keep(deliveries)
    if (isLast || deliveries.length === 0) this.isOver = true
  }
}
