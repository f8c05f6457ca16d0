import { randomUUID } from 'node:crypto'
import { runLane } from './lane.ts'
import type { LaneDeps, LaneTurn } from './lane-deps.ts'
import { LaneLost } from './record-deliveries.ts'
import { recoverTaken } from './recover-taken.ts'

const lanesMax = 200

/** The lanes that this process holds now. */
export class Lanes {
  private readonly deps: LaneDeps
  /** By resource. */
  private readonly running = new Map<string, { turn: LaneTurn; ended: Promise<void> }>()

  constructor(deps: LaneDeps) {
    this.deps = deps
  }

  /** The number of further lanes that may run. */
  get room(): number {
    return Math.max(0, lanesMax - this.running.size)
  }

  /** Takes the free lanes and starts them. A lane that is held searches again before its holder releases it. */
  async wake(resourceIds: readonly string[]): Promise<void> {
    const { store, clock } = this.deps
    const own = resourceIds.flatMap((resourceId) => this.running.get(resourceId) ?? [])
    for (const { turn } of own) turn.isWoken = true
    const wanted = resourceIds
      .filter((resourceId) => !this.running.has(resourceId))
      .map((resourceId) => ({ resourceId, owner: randomUUID() }))
    for (const { resourceId, owner, before } of await store.lanes.take(wanted, clock())) {
      const flags = { isWoken: false, isLost: false, isSwitchedOff: false }
      this.start({ resourceId, owner, previousOwners: before ?? [], ...flags })
    }
  }

  async renew(): Promise<void> {
    const turns = [...this.running.values()].map(({ turn }) => turn)
    const held = new Set(await this.deps.store.lanes.renew(turns.map(({ owner }) => owner)))
    // A turn that ended meanwhile is marked as lost too; nothing reads the mark then.
    for (const turn of turns) if (!held.has(turn.owner)) turn.isLost = true
  }

  async ended(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended))
  }

  private start(turn: LaneTurn): void {
    const ended = recoverTaken(turn, this.deps)
      .then(() => runLane(turn, this.deps))
      // The lease is not released but expires, so that sent deliveries without a recorded result are not sent again at once.
      .catch((error: unknown) => {
        if (!(error instanceof LaneLost))
          this.deps.log.warn(
            { error: String(error), resource: turn.resourceId },
            'delivery lane failed; it will be retried',
          )
      })
      .finally(() => this.end(turn))
    this.running.set(turn.resourceId, { turn, ended })
  }

  /** A lane that was woken after its last search is started again. */
  private end({ resourceId, isWoken }: LaneTurn): void {
    this.running.delete(resourceId)
    if (!isWoken || this.deps.laneState.isStopping) return
    this.wake([resourceId]).catch((error: unknown) =>
      this.deps.log.warn(
        { error: String(error), resource: resourceId },
        'delivery lane was not started; it will be retried',
      ),
    )
  }
}
