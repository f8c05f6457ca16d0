import { randomUUID } from 'node:crypto'
import { every } from '../../engine/base/every.ts'
import type { SourceStatus } from '../../store/core/tables.ts'
import type { FollowerRow } from '../../store/following/followers.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import { type Fairness, makeFairness } from '../jobs/index.ts'
import type { LiveSource } from '../listeners/index.ts'
import type { SavedReport } from './source-report.ts'
import { SourceRun } from './source-run.ts'
import { TimerRun, timerFollower } from './timer-run.ts'

/** A new source is followed within this time, so that events right after the save are not missed. */
const reconcileMs = 100
/** How often the process checks whether a source that another process holds is free. */
const checkFreeMs = 500
const renewMs = 1_000
const saveReportsMs = 1_000
const removeIdleMs = 10_000

/**
 * Starts loop 1. Each source is followed by one process at a time, the one that holds its lease. Every process takes free
 * leases, renews its own once a second, and stops following a source when its lease is lost. A process that dies or hangs
 * is replaced when its lease expires.
 */
export async function startFollowing(deps: RuntimeDeps): Promise<Running> {
  const supervisor = new Supervisor(deps)
  await supervisor.reconcile()
  const loops = [
    every(reconcileMs, () => supervisor.reconcile(), deps, 'taking sources'),
    every(renewMs, () => supervisor.renew(), deps, 'renewing leases'),
    every(saveReportsMs, () => supervisor.saveReports(), deps, 'saving source reports'),
    every(removeIdleMs, () => supervisor.removeIdleNetworks(), deps, 'removing idle networks'),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      await supervisor.stop()
    },
  }
}

class Supervisor {
  readonly #deps: RuntimeDeps
  readonly #owner = randomUUID()
  readonly #fairness: Fairness = makeFairness(() => performance.now())
  readonly #runs = new Map<string, SourceRun>()
  #timer: TimerRun | undefined
  #checked = new Set<string>()
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(deps: RuntimeDeps) {
    this.#deps = deps
  }

  /** Stops the runs of changed or removed sources, then takes the sources that no process follows. */
  async reconcile(): Promise<void> {
    await this.#deps.listeners.refresh()
    const wanted = this.#wanted()
    for (const [name, run] of this.#runs) {
      const source = wanted.get(name)
      if (run.isOver) this.#runs.delete(name)
      else if (source?.revision !== run.source.revision) await this.#end(name, run)
    }
    if (this.#timer?.isOver) this.#timer = undefined
    await this.#takeUnfollowed(wanted)
  }

  /** Custom sources are always followed, so that their status is known; built-in networks only while they have listeners. */
  #wanted(): Map<string, LiveSource> {
    const { listeners } = this.#deps
    const sources = [...listeners.allSources()].filter(({ id, fullname }) => id !== null || listeners.index(fullname))
    return new Map(sources.map((source) => [source.fullname, source]))
  }

  async #takeUnfollowed(wanted: ReadonlyMap<string, LiveSource>): Promise<void> {
    const missing = [...wanted.values()].filter(({ fullname }) => !this.#runs.has(fullname))
    const wantsTimer = !this.#timer
    if (missing.length === 0 && !wantsTimer) return
    const isNew = missing.some(({ fullname }) => !this.#checked.has(fullname))
    if (!isNew && performance.now() - this.#checkedAt < checkFreeMs) return
    this.#checkedAt = performance.now()
    this.#checked = new Set(missing.map(({ fullname }) => fullname))
    const heldSources = new Set((await this.#deps.store.followers.listHeld()).map(({ source }) => source))
    for (const source of missing) if (!heldSources.has(source.fullname)) await this.#take(source)
    if (wantsTimer && !heldSources.has(timerFollower)) await this.#takeTimer()
  }

  async #take(source: LiveSource): Promise<void> {
    const { store, clock, log } = this.#deps
    const row = await store.followers.take(source.fullname, this.#owner, clock())
    if (!row) return
    log.info({ source: source.fullname, epoch: row.epoch }, 'source lease taken; following')
    const run = new SourceRun(this.#deps, source, row, this.#fairness, await this.#readSavedReport(source, row))
    this.#runs.set(source.fullname, run)
    run.start()
  }

  async #takeTimer(): Promise<void> {
    const { store, clock } = this.#deps
    const row = await store.followers.take(timerFollower, this.#owner, clock())
    if (!row) return
    this.#timer = new TimerRun(this.#deps, { source: row.source, epoch: row.epoch }, this.#fairness)
    this.#timer.start()
  }

  async #readSavedReport(source: LiveSource, row: FollowerRow): Promise<SavedReport> {
    const { store, clock } = this.#deps
    const [saved] = source.id === null ? [] : await store.customSources.findAll([source.fullname])
    const pending: SourceStatus = { status: 'pending', updatedAt: clock().toISOString() }
    return {
      status: saved?.status ?? row.state.status ?? pending,
      runtime: saved?.runtime ?? row.state.runtime ?? {},
    }
  }

  async #end(name: string, run: SourceRun): Promise<void> {
    this.#runs.delete(name)
    this.#checked.delete(name)
    await run.stop()
    await this.#deps.store.followers.release(run.lease)
  }

  /** Deletes the checkpoint of a network without listeners. The next listener starts at the head. */
  async removeIdleNetworks(): Promise<void> {
    const { listeners, store, networks } = this.#deps
    const known = new Set(networks.map(({ fullname }) => fullname))
    const rows = await store.followers.list()
    const idle = rows.filter(({ source }) => known.has(source) && !listeners.index(source))
    for (const { source } of idle)
      await store.tx(async (store) => {
        if (await store.followers.removeIfFree(source)) await store.sourceBlocks.removeAll(source)
      })
  }

  /** Renews all leases of this process in one statement and ends the runs whose lease is lost. */
  async renew(): Promise<void> {
    const runs = [...this.#runs.values()]
    const leases = [...runs.map((run) => run.lease), ...(this.#timer ? [this.#timer.lease] : [])]
    const kept = await this.#deps.store.followers.renew(this.#owner, leases)
    for (const run of runs) if (!kept.has(run.lease.source)) run.abandon()
    if (this.#timer && !kept.has(timerFollower)) this.#timer.abandon()
  }

  async saveReports(): Promise<void> {
    for (const run of this.#runs.values()) await run.report.save()
  }

  async stop(): Promise<void> {
    const runs = [...this.#runs]
    await Promise.all(runs.map(([name, run]) => this.#end(name, run)))
    if (!this.#timer) return
    await this.#timer.stop()
    await this.#deps.store.followers.release(this.#timer.lease)
  }
}
