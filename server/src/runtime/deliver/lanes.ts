import { randomUUID } from 'node:crypto'
import { inherit } from './inherit.ts'
import { runLane } from './lane.ts'
import type { Parts, Turn } from './parts.ts'
import { LaneLost } from './settle.ts'

const lanesMax = 200

/** The lanes that this process holds now. */
export class Lanes {
  private readonly parts: Parts
  /** By resource. */
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
    const { store, clock } = this.parts
    const own = resourceIds.flatMap((resourceId) => this.running.get(resourceId) ?? [])
    for (const { turn } of own) turn.isWoken = true
    const wanted = resourceIds
      .filter((resourceId) => !this.running.has(resourceId))
      .map((resourceId) => ({ resourceId, owner: randomUUID() }))
    for (const { resourceId, owner, before } of await store.lanes.take(wanted, clock()))
      this.start({ resourceId, owner, before: before ?? [], isWoken: false, isLost: false, isSwitchedOff: false })
  }

  async renew(): Promise<void> {
    const turns = [...this.running.values()].map(({ turn }) => turn)
    const held = new Set(await this.parts.store.lanes.renew(turns.map(({ owner }) => owner)))
    // One that ended meanwhile is not held either, and does not mind.
    for (const turn of turns) if (!held.has(turn.owner)) turn.isLost = true
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
      .finally(() => this.end(turn))
    this.running.set(turn.resourceId, { turn, ended })
  }
  /** Who was woken after his last look is woken again. */
  private end({ resourceId, isWoken }: Turn): void {
    this.running.delete(resourceId)
    if (!isWoken || this.parts.mood.isStopping) return
    this.wake([resourceId]).catch((error: unknown) =>
      this.parts.log.warn({ error: String(error), resource: resourceId }, 'a lane was not woken'),
    )
  }
}
