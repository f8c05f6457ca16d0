import type { PendingDelivery } from '../../store/alerts/deliveries.ts'

type Fetch = (open: readonly string[]) => Promise<PendingDelivery[]>

/**
 * Hands out deliveries one by one and fetches the next ones while the last are on their way. Those that were handed out
 * and are not settled yet are still pending in the store, so they are left out by name.
 */
export class Feed {
  private readonly fetch: Fetch
  private readonly refillBelow: number
  private readonly ready: PendingDelivery[] = []
  private readonly open = new Set<string>()
  private fetching: Promise<void> | undefined
  private isOver = false
  private isStopped = false

  constructor(fetch: Fetch, refillBelow: number) {
    this.fetch = fetch
    this.refillBelow = refillBelow
  }

  /** Undefined when there is no more for now, or nothing more is to be sent. */
  async next(): Promise<PendingDelivery | undefined> {
    while (!this.isOver && this.ready.length === 0) await this.refill()
    if (this.isOver && this.ready.length === 0) return undefined
    const delivery = this.ready.shift()
    // Whatever it fails with, the next call meets it again: it fetches by itself.
    if (this.ready.length < this.refillBelow && !this.isOver) this.refill().catch(() => undefined)
    return delivery
  }

  /** How many there are to begin with. */
  async fill(): Promise<number> {
    await this.refill()
    return this.ready.length
  }

  /** It was not sent. */
  giveBack(delivery: PendingDelivery): void {
    if (!this.isStopped) this.ready.push(delivery)
  }

  settled(ids: readonly string[]): void {
    for (const id of ids) this.open.delete(id)
  }

  /** What was fetched and not handed out stays pending. */
  stop(): void {
    this.isOver = true
    this.isStopped = true
    this.ready.length = 0
  }

  private refill(): Promise<void> {
    this.fetching ??= this.fetchMore().finally(() => {
      this.fetching = undefined
    })
    return this.fetching
  }

  private async fetchMore(): Promise<void> {
    const found = await this.fetch([...this.open])
    if (this.isOver) return
    for (const delivery of found) this.open.add(delivery.id)
    this.ready.push(...found)
    if (found.length === 0) this.isOver = true
  }
}
