import { randomUUID } from 'node:crypto'
import { inherit } from './inherit.ts'
import { runLane } from './lane.ts'
import type { Parts, Turn } from './parts.ts'
import { LaneLost } from './settle.ts'

const lanesMax = 200

/** The lanes that this process holds now. */
export class Lanes {
  private readonly parts: Parts
  private readonly running = new Map<string, { turn: Turn; ended: Promise<void> }>()

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** How many more may run. */
  get room(): number {
    return Math.max(0, lanesMax - this.running.size)
  }

  /** Takes those that nobody holds and starts them. Whoever holds one looks again before he frees it. */
  async wake(resourceIds: readonly string[]): Promise<void> {
    const wanted = resourceIds.map((resourceId) => ({ resourceId, owner: randomUUID() }))
    const lanes = await this.parts.store.lanes.take(wanted, this.parts.clock())
    for (const { resourceId, owner, taken } of lanes)
      this.start({ resourceId, owner, left: taken ?? [], isLost: false, isSwitchedOff: false })
  }

  async renew(): Promise<void> {
    const before = [...this.running.values()]
    const held = new Set(await this.parts.store.lanes.renew([...this.running.keys()]))
    // One that ended meanwhile is not held either, and does not mind.
    for (const { turn } of before) if (!held.has(turn.owner)) turn.isLost = true
  }

  async ended(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended))
  }

  private start(turn: Turn): void {
    const ended = inherit(turn, this.parts)
      .then(() => runLane(turn, this.parts))
      // The lease is left to lapse: what was sent and could not be settled is not sent again at once.
      .catch((error: unknown) => {
        if (!(error instanceof LaneLost))
          this.parts.log.warn({ error: String(error), resource: turn.resourceId }, 'a lane broke off')
      })
      .finally(() => this.running.delete(turn.owner))
    this.running.set(turn.owner, { turn, ended })
  }
}
