import { randomUUID } from 'node:crypto'
import { runLane } from './lane.ts'
import type { LaneTurn } from './lane-deps.ts'
import { type LaneDeps, LaneLost } from './lane-store.ts'

/** How many lanes one statement takes. */
const takenMax = 250
/** How many resources may wait for a lane. Beyond that, the search for due deliveries finds them later. */
const waitingMax = 100_000

/** The lanes that this process runs, and the resources that wait until one may start. */
export class Lanes {
  private readonly deps: LaneDeps
  private readonly lanesMax: number
  /** By resource. */
  private readonly running = new Map<string, { turn: LaneTurn; ended: Promise<void> }>()
  /** In the order of their wake-ups. */
  private readonly waiting = new Set<string>()
  private isStarting = false
  /** How often resources were woken. */
  wakeUps = 0

  constructor(deps: LaneDeps, lanesMax: number) {
    this.deps = deps
    this.lanesMax = lanesMax
  }

  /** Resources that are woken now would wait long. */
  get isFull(): boolean {
    return this.waiting.size >= waitingMax
  }

  /** Starts the lanes of these resources, now or when there is room. A running lane searches again before it ends. */
  async wake(resourceIds: Iterable<string>): Promise<void> {
    for (const resourceId of resourceIds) {
      this.wakeUps += 1
      if (this.isFull) break
      this.waiting.add(resourceId)
    }
    if (this.isStarting) return
    const { laneState } = this.deps
    this.isStarting = true
    // Nothing may run between the last look at `waiting` and the end: a resource that is woken then would not be started.
    try {
      while (this.waiting.size > 0 && this.running.size < this.lanesMax && !laneState.isStopping) await this.startSome()
    } finally {
      this.isStarting = false
      laneState.isCrowded = this.waiting.size > 0
    }
  }

  async renew(): Promise<void> {
    const turns = [...this.running.values()].map(({ turn }) => turn)
    const held = new Set(await this.deps.store.lanes.renew(turns))
    // A turn that ended meanwhile is marked as lost too; nothing reads the mark then.
    for (const turn of turns) if (!held.has(turn.owner)) turn.isLost = true
  }

  async ended(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended))
  }

  private async startSome(): Promise<void> {
    const { store, clock } = this.deps
    const wanted: { resourceId: string; owner: string }[] = []
    const max = Math.min(takenMax, this.lanesMax - this.running.size)
    for (const resourceId of this.waiting) {
      if (wanted.length >= max) break
      this.waiting.delete(resourceId)
      const own = this.running.get(resourceId)
      if (own) own.turn.isWoken = true
      else wanted.push({ resourceId, owner: randomUUID() })
    }
    if (wanted.length === 0) return
    // Another process may hold a lane. It searches again before it releases the lane.
    const [taken, targets] = await Promise.all([
      store.lanes.take(wanted, clock()),
      store.resources.findTargets(wanted.map(({ resourceId }) => resourceId)),
    ])
    for (const { resourceId, owner, before } of taken) {
      const flags = { isWoken: false, isLost: false, isSwitchedOff: false }
      this.start({ resourceId, owner, target: targets.get(resourceId), previousOwners: before ?? [], ...flags })
    }
  }

  private start(turn: LaneTurn): void {
    const { log } = this.deps
    const ended = this.run(turn)
      // The lease is not released but expires, so that sent deliveries without a recorded result are not sent again at once.
      .catch((error: unknown) => {
        if (error instanceof LaneLost) return
        log.warn({ error: String(error), resource: turn.resourceId }, 'delivery lane failed; it will be retried')
      })
      .finally(() => this.end(turn))
    this.running.set(turn.resourceId, { turn, ended })
    this.noteRunning()
  }

  private noteRunning(): void {
    this.deps.laneState.running = this.running.size
    this.deps.meter.leases('lane', this.running.size)
  }

  private async run(turn: LaneTurn): Promise<void> {
    if (turn.previousOwners.length > 0) await this.deps.laneStore.recoverTaken(turn)
    await runLane(turn, this.deps)
  }

  /** A lane that was woken after its last search is started again. */
  private end({ resourceId, isWoken }: LaneTurn): void {
    this.running.delete(resourceId)
    this.noteRunning()
    if (this.deps.laneState.isStopping || (!isWoken && this.waiting.size === 0)) return
    this.wake(isWoken ? [resourceId] : []).catch((error: unknown) =>
      this.deps.log.warn({ error: String(error) }, 'delivery lanes were not started; they will be retried'),
    )
  }
}
