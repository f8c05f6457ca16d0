import { randomUUID } from 'node:crypto'
import { every, type Loop, whenWoken } from '../../engine/base/every.ts'
import { BlockMemory } from '../../engine/follow-core/block-memory.ts'
import { waitingChannel } from '../../store/alerts/waiting-alerts.ts'
import { changesChannel } from '../../store/core/notifications.ts'
import type { SourceStatus } from '../../store/core/tables.ts'
import type { LiveProcess } from '../../store/following/engine-processes.ts'
import type { FollowerRow } from '../../store/following/followers.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import { makeFairness } from '../jobs/split.ts'
import type { LiveSource } from '../listeners/live-source.ts'
import { shareOf, surplusOf } from './fair-share.ts'
import type { SharedBySources } from './follow-context.ts'
import { MinuteSamples } from './minute-samples.ts'
import { saveProgress } from './save-progress.ts'
import type { SavedReport } from './source-report.ts'
import { SourceRun } from './source-run.ts'
import { TimerRun, timerFollower } from './timer-run.ts'

/**
 * A new source is followed within this time, so that events right after the save are not missed. While notices of changes
 * arrive, a notice causes it, and without one it happens after the longer time.
 */
const [reconcileMs, reconcileUnnoticedMs] = [100, 1_000]
/** How often the process checks whether a source that another process holds is free. */
const checkFreeMs = 500
/** Processes with different networks count different shares. A source that stays free for this time is taken beyond the share. */
const strayMs = 5_000
const heartbeatMs = 1_000
/** The others do not count on a process that could not reconcile for this time. */
const stuckAfterMs = 10_000
/** The first change is stored at once, further ones are collected for this time. */
const saveProgressMs = 2_000
const removeIdleMs = 30_000

/**
 * Starts loop 1. Each source is followed by one process at a time, the one that holds its lease. Every process takes free
 * leases up to its share (fair-share.ts), renews its own once a second, and stops following a source when its lease is lost.
 * A process that dies or hangs is replaced when its leases expire. A process that joins gets its share from the others: each
 * ends some runs after their current block and releases their leases.
 */
export async function startFollowing(deps: RuntimeDeps): Promise<Running> {
  const supervisor = new Supervisor(deps)
  const { notifications } = deps.store
  notifications.listen(waitingChannel, (source) => supervisor.noteWaitingAlerts(source))
  notifications.listen(changesChannel, (table) => {
    if (table === undefined || table === 'changes') supervisor.noteChange()
  })
  await supervisor.sendHeartbeat()
  await supervisor.reconcile()
  const loops = [
    ...supervisor.start(),
    every(heartbeatMs, () => supervisor.beat(), deps, 'renewing leases'),
    every(heartbeatMs, () => supervisor.recordMinute(), deps, 'recording the history of sources'),
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
  readonly #shared: SharedBySources = { fairness: makeFairness(() => performance.now()), memory: new BlockMemory() }
  readonly #runs = new Map<string, SourceRun>()
  #timer: TimerRun | undefined
  #checked = new Set<string>()
  #checkedAt = Number.NEGATIVE_INFINITY
  #freeSince = new Map<string, number>()
  #processes: readonly LiveProcess[] = []
  #lacks = 0
  #reconciledAt: number
  #savedAt = Number.NEGATIVE_INFINITY
  #version = 0
  #mayLearn = true
  readonly #samples: MinuteSamples
  #taking: Loop | undefined
  #saving: Loop | undefined

  constructor(deps: RuntimeDeps) {
    this.#deps = deps
    this.#samples = new MinuteSamples(deps)
    this.#reconciledAt = deps.now()
  }

  /** Starts the loops that take sources and save their progress. */
  start(): Running[] {
    const taking = { paceMs: reconcileMs, waitMs: () => this.#waitToReconcileMs() }
    const saving = { paceMs: reconcileMs, waitMs: () => this.#waitToSaveMs() }
    this.#taking = whenWoken(() => this.reconcile(), taking, this.#deps, 'taking sources')
    this.#saving = whenWoken(() => this.saveProgress(), saving, this.#deps, 'saving the progress of sources')
    return [this.#taking, this.#saving]
  }

  /** Sources, triggers or listeners may have changed. */
  noteChange(): void {
    this.#mayLearn = true
    this.#taking?.wake()
  }

  /** Stops the runs of changed or removed sources, hands over those above its share, and takes free ones up to its share. */
  async reconcile(): Promise<void> {
    await this.#deps.listeners.refreshIfNoticed()
    const wanted = this.#wanted()
    for (const [name, run] of this.#runs) {
      const source = wanted.get(name)
      if (run.isOver) this.#runs.delete(name)
      else if (source?.revision !== run.source.revision) await this.#end(name, run)
    }
    if (this.#timer?.isOver) this.#timer = undefined
    await this.#handOver(surplusOf(this.#runs.size, this.#shareOf(wanted), this.#processes, this.#owner))
    await this.#takeUnfollowed(wanted)
    for (const run of this.#runs.values()) run.startHistories()
    await this.#learnFactories()
    this.#lacks = Math.max(0, this.#shareOf(wanted) - this.#runs.size)
    this.#deps.meter.leases('source', this.#runs.size + (this.#timer ? 1 : 0))
    this.#reconciledAt = this.#deps.now()
    this.#wakeTimer()
  }

  /** Without a notice of a change no trigger has a new factory; a run looks for itself when it starts. */
  async #learnFactories(): Promise<void> {
    if (!this.#mayLearn && this.#deps.store.notifications.isUp) return
    this.#mayLearn = false
    const sources = await this.#deps.store.factories.listLearningSources().catch((error: unknown) => {
      this.#mayLearn = true
      throw error
    })
    for (const source of sources) this.#runs.get(source)?.learnFactories()
  }

  #waitToReconcileMs(): number {
    if (!this.#deps.store.notifications.isUp) return reconcileMs
    return this.#checked.size > 0 || !this.#timer ? checkFreeMs : reconcileUnnoticedMs
  }

  /** A changed listener may have a timer that is due now. */
  #wakeTimer(): void {
    const version = this.#deps.listeners.version()
    if (version !== this.#version) this.#timer?.wake()
    this.#version = version
  }

  /** Without a name, notices may have been missed for every source. */
  noteWaitingAlerts(source: string | undefined): void {
    if (source !== undefined) this.#runs.get(source)?.noteWaitingAlerts()
    else for (const run of this.#runs.values()) run.noteWaitingAlerts()
  }

  #shareOf(wanted: ReadonlyMap<string, LiveSource>): number {
    return shareOf(wanted.size, this.#processes, this.#owner)
  }

  /** Built-in networks are handed over last, because another process may have no endpoints for them. */
  async #handOver(count: number): Promise<void> {
    if (count === 0) return
    const runs = [...this.#runs].sort(([, a], [, b]) => Number(a.source.id === null) - Number(b.source.id === null))
    const handed = runs.slice(0, count)
    this.#deps.log.info({ sources: handed.map(([name]) => name) }, 'sources handed over to another process')
    await Promise.all(handed.map(([name, run]) => this.#end(name, run)))
    // The processes have to report what they lack again, before more sources are handed over.
    this.#processes = this.#processes.map(({ id }) => ({ id, lacks: 0 }))
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
    if (missing.length === 0 && !wantsTimer) {
      this.#checked.clear()
      return
    }
    const isNew = missing.some(({ fullname }) => !this.#checked.has(fullname))
    if (!isNew && this.#deps.now() - this.#checkedAt < checkFreeMs) return
    this.#checkedAt = this.#deps.now()
    this.#checked = new Set(missing.map(({ fullname }) => fullname))
    const heldSources = new Set((await this.#deps.store.followers.listHeld()).map(({ source }) => source))
    const free = missing.filter(({ fullname }) => !heldSources.has(fullname))
    // Leases that are free beyond this share may be those of a process that has just ended.
    if (this.#runs.size + free.length > this.#shareOf(wanted)) await this.sendHeartbeat()
    const share = this.#shareOf(wanted)
    const strays = this.#findStrays(free)
    for (const source of free) if (this.#runs.size < share || strays.has(source)) await this.#take(source)
    if (wantsTimer && !heldSources.has(timerFollower)) await this.#takeTimer()
  }

  /** The sources that were free at every check for some time, so that no process has them in its share. */
  #findStrays(free: readonly LiveSource[]): Set<LiveSource> {
    const now = this.#deps.now()
    this.#freeSince = new Map(free.map(({ fullname }) => [fullname, this.#freeSince.get(fullname) ?? now]))
    return new Set(free.filter(({ fullname }) => now - (this.#freeSince.get(fullname) ?? now) >= strayMs))
  }

  async #take(source: LiveSource): Promise<void> {
    const { store, clock, log } = this.#deps
    const row = await store.followers.take(source.fullname, this.#owner, clock())
    if (!row) return
    log.info({ source: source.fullname, epoch: row.epoch }, 'source lease taken; following')
    const run = new SourceRun(this.#deps, source, row, this.#shared, await this.#readSavedReport(source, row))
    this.#runs.set(source.fullname, run)
    void run.start(() => this.#noteProgress()).then(() => this.noteChange())
  }

  async #takeTimer(): Promise<void> {
    const { store, clock } = this.#deps
    const row = await store.followers.take(timerFollower, this.#owner, clock())
    if (!row) return
    this.#timer = new TimerRun(this.#deps, { source: row.source, epoch: row.epoch }, this.#shared.fairness)
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
    const { listeners, store, networks, clock } = this.#deps
    await store.engineProcesses.removeDead()
    const known = new Set(networks.map(({ fullname }) => fullname))
    const rows = await store.followers.list()
    const idle = rows.filter(({ source }) => known.has(source) && !listeners.index(source))
    for (const { source } of idle)
      await store.tx(async (store) => {
        if (!(await store.followers.removeIfFree(source))) return
        await store.sourceBlocks.removeAll(source)
        await store.waitingAlerts.giveUp(source, `The network "${source}" is no longer followed.`, clock())
      })
  }

  /** Renews all leases of this process in one statement, ends the runs whose lease is lost, and reads which processes live. */
  async sendHeartbeat(): Promise<void> {
    const runs = [...this.#runs.values()]
    const leases = [...runs.map((run) => run.lease), ...(this.#timer ? [this.#timer.lease] : [])]
    const isStuck = this.#deps.now() - this.#reconciledAt > stuckAfterMs
    const own = { id: this.#owner, lacks: isStuck ? undefined : this.#lacks }
    const { kept, processes } = await this.#deps.store.engineProcesses.sendHeartbeat(own, leases)
    this.#processes = processes
    for (const run of runs) if (!kept.has(run.lease.source)) run.abandon()
    if (this.#timer && !kept.has(timerFollower)) this.#timer.abandon()
  }

  async beat(): Promise<void> {
    await this.sendHeartbeat()
    if (this.#processes.length > 1) this.noteChange()
  }

  #noteProgress(): void {
    if (this.#sinceSaveMs() >= saveProgressMs) this.#saving?.wake()
  }

  #waitToSaveMs(): number {
    const leftMs = saveProgressMs - this.#sinceSaveMs()
    return leftMs > 0 ? leftMs : reconcileUnnoticedMs
  }

  #sinceSaveMs(): number {
    return this.#deps.now() - this.#savedAt
  }

  async saveProgress(): Promise<void> {
    if (this.#sinceSaveMs() < saveProgressMs) return
    const unsaved = [...this.#runs.values()].flatMap((run) => run.tryLockUnsaved() ?? [])
    if (unsaved.length === 0) return
    this.#savedAt = this.#deps.now()
    await saveProgress(this.#deps, unsaved)
  }

  recordMinute(): Promise<void> {
    return this.#samples.record(() => [...this.#runs.values()].map((run) => run.state()))
  }

  async stop(): Promise<void> {
    const runs = [...this.#runs]
    // First, so that the shares of the others already include the leases that are released next.
    await this.#deps.store.engineProcesses.remove(this.#owner)
    await Promise.all(runs.map(([name, run]) => this.#end(name, run)))
    if (!this.#timer) return
    await this.#timer.stop()
    await this.#deps.store.followers.release(this.#timer.lease)
  }
}
