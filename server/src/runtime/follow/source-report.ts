import { randomUUID } from 'node:crypto'
import type { HealthItem } from '@tocsin/contract'
import type { LostEvents } from '../../engine/sources/raw-items.ts'
import type { SourceEvent } from '../../engine/sources/source-event.ts'
import type { FollowerState, SourceRuntime, SourceState, SourceStatus } from '../../store/core/tables.ts'
import { type FollowerLease, requireLease } from '../../store/following/followers.ts'
import type { SourceLogLevel } from '../../store/following/source-logs.ts'
import type { Store } from '../../store/index.ts'
import type { RuntimeDeps } from '../deps.ts'
import { sourceEventJobs } from '../events/source-events.ts'
import { addJobs } from '../jobs/split.ts'
import type { LiveSource } from '../listeners/live-source.ts'

export type LogLine = { level: SourceLogLevel; message: string; details?: Record<string, unknown> }
/** The report as the previous process stored it. */
export type SavedReport = { status: SourceStatus; runtime: SourceRuntime }
/** The values of a report that are not stored yet. `id` is null for a built-in network. */
export type UnsavedReport = {
  lease: FollowerLease
  id: string | null
  revision: number
  runtime: SourceRuntime
  /** Up to which time everything was read; null if it is not known, or stored already. */
  readAt: Date | null
  /** Set if its message changed. */
  status?: SourceStatus
  markSaved(): void
}
/** The message and the code of a status. */
type StatusText = { message?: string | undefined; code?: string | undefined }
type Deps = Pick<RuntimeDeps, 'store' | 'listeners' | 'clock' | 'log' | 'crashPoint'>

const readAtMs = 2_000

/**
 * Stores what a follower knows about its source: runtime (head, lag), status and log. A change of status, its log line, the
 * changed triggers and the event for listeners are one commit under the lease. Runtime values are kept in memory;
 * `save-progress.ts` stores them.
 */
export class SourceReport {
  readonly #deps: Deps
  readonly #source: LiveSource
  readonly #lease: FollowerLease
  #status: SourceStatus
  #runtime: SourceRuntime
  /** The last saved values as JSON, so that unchanged values are not written again. */
  #saved = ''
  #savedMessage: string | undefined
  #savedReadMs = 0
  /** The message that the status keeps while the source is running. */
  runningMessage: string | undefined
  /** The same about blocks that count without a proof. It comes first. */
  doubt: string | undefined

  constructor(deps: Deps, source: LiveSource, lease: FollowerLease, saved: SavedReport) {
    this.#deps = deps
    this.#source = source
    this.#lease = lease
    this.#status = saved.status
    this.#savedMessage = saved.status.message
    this.#runtime = saved.runtime
  }

  get state(): SourceState {
    return this.#status.status
  }

  get message(): string | undefined {
    return this.#status.message
  }

  get runtime(): SourceRuntime {
    return this.#runtime
  }

  setRuntime(values: Partial<SourceRuntime>): void {
    this.#runtime = { ...this.#runtime, ...values }
  }

  /** Changes the message of the current status; `save-progress.ts` stores it. */
  setMessage(message: string | undefined, code?: string): void {
    const { message: before, ...rest } = this.#status
    this.#status = withMessage({ ...rest, ...(code && { code }) }, message ?? this.doubt ?? this.runningMessage)
  }

  /**
   * The values that are not stored yet; undefined if all are. `readAt` changes with each read of the head, so it alone is
   * stored only every two seconds.
   */
  unsaved(readAt: Date | null): UnsavedReport | undefined {
    const runtime = this.#runtimeOf()
    const { message } = this.#status
    const text = JSON.stringify([runtime, message])
    const isRead = readAt !== null && readAt.getTime() - this.#savedReadMs >= readAtMs
    if (text === this.#saved && !isRead) return undefined
    const { id, revision } = this.#source
    return {
      ...{ lease: this.#lease, id, revision, runtime, readAt },
      ...(message !== this.#savedMessage && { status: this.#status }),
      markSaved: () => {
        this.#savedMessage = message
        this.#saved = text
        this.#savedReadMs = readAt?.getTime() ?? this.#savedReadMs
      },
    }
  }

  /** The lag of a source in error is not known. */
  #runtimeOf(state: SourceState = this.state): SourceRuntime {
    const { lag, ...rest } = this.#runtime
    return state === 'error' || lag === undefined ? rest : { ...rest, lag }
  }

  async log(line: LogLine): Promise<void> {
    const { store, clock, log } = this.#deps
    log[line.level]({ source: this.#source.fullname, ...line.details }, line.message)
    const { id, revision } = this.#source
    if (id === null) return
    await store.tx(async (store) => {
      // The update locks the row, so that concurrent log lines are stored in order.
      if (await store.customSources.saveReport(id, revision, { runtime: this.#runtimeOf() }))
        await store.sourceLogs.add(id, line, clock())
    })
  }

  /** Stores a new status with its log line, breaks or repairs the triggers, and queues the event for its listeners. */
  async changeStatus(to: SourceState, line: LogLine, { message, code }: StatusText = {}): Promise<void> {
    const { store, listeners, clock, log, crashPoint } = this.#deps
    const at = clock()
    const text = { message: message ?? (to === 'running' ? (this.doubt ?? this.runningMessage) : undefined), code }
    const status = nextStatus(this.#status, to, text, at)
    const event = eventOf(this.#source.fullname, this.#status, status, line)
    const change = healthOf(this.#source.fullname, this.#status, status, line)
    if (event) await listeners.refresh()
    log[line.level]({ source: this.#source.fullname, status: to, ...line.details }, line.message)
    await store.tx(async (store) => {
      // Every transaction locks sources before followers, so that two of them cannot deadlock.
      const isCurrent = await this.#writeStatus(store, status, line, at)
      await requireLease(store, this.#lease)
      if (!isCurrent) return
      await store.followers.setState(this.#lease, this.#followerState(status))
      await updateTriggers(store, this.#source, status, at)
      if (event) await addJobs(store, [sourceEventJobs(listeners, event, `ev_${randomUUID()}`)])
      if (change) await store.healthEvents.add([change])
      await crashPoint('status.beforeCommit')
    })
    await crashPoint('status.afterCommit')
    this.#status = status
    this.#savedMessage = status.message
  }

  /** False if a newer revision of the source was saved: this revision must no longer change the status. */
  async #writeStatus(store: Store, status: SourceStatus, line: LogLine, at: Date): Promise<boolean> {
    const { id, revision } = this.#source
    if (id === null) return true
    if (!(await store.customSources.saveReport(id, revision, { status, runtime: this.#runtimeOf(status.status) })))
      return false
    await store.sourceLogs.add(id, line, at)
    return true
  }

  #followerState(status: SourceStatus): FollowerState {
    const network = this.#runtime.chainId ?? this.#runtime.genesisHash
    return { status, runtime: this.#runtimeOf(status.status), ...(network !== undefined && { network }) }
  }
}

function nextStatus(before: SourceStatus, to: SourceState, { message, code }: StatusText, at: Date): SourceStatus {
  const status = { status: to, previousStatus: before.status, ...(code && { code }), updatedAt: at.toISOString() }
  return withMessage(status, message)
}

function withMessage(status: SourceStatus, message: string | undefined): SourceStatus {
  return message === undefined ? status : { ...status, message }
}

/** A pending source counts as being in its previous state. */
function lastingState({ status, previousStatus }: SourceStatus): SourceState {
  return status === 'pending' ? (previousStatus ?? 'pending') : status
}

function eventOf(source: string, before: SourceStatus, after: SourceStatus, line: LogLine): SourceEvent | undefined {
  const previousStatus = lastingState(before)
  const common = { status: after.status, previousStatus, message: line.message, source, at: after.updatedAt }
  if (after.status === 'error')
    return previousStatus === 'error' ? undefined : { type: 'error', severity: 'error', ...common }
  if (previousStatus !== 'error' || after.status === 'stopped') return undefined
  return { type: 'recovered', severity: 'info', ...common }
}

const severities: Partial<Record<SourceState, HealthItem['severity']>> = { error: 'critical', lagging: 'warning' }

/** What the health of workspaces tells. A source that lags after an error catches up: that is told when it has. */
function healthOf(name: string, before: SourceStatus, after: SourceStatus, line: LogLine): HealthItem | undefined {
  const previousStatus = lastingState(before)
  const severity = severities[after.status] ?? 'info'
  const isSame = severity === (severities[previousStatus] ?? 'info')
  if (isSame || after.status === 'stopped' || (previousStatus === 'error' && severity !== 'info')) return undefined
  const { status, updatedAt: at } = after
  return { type: 'source', name, status, previousStatus, severity, message: line.message, at }
}

/** An error breaks the triggers on the source; any other status ends that. */
async function updateTriggers(
  store: Store,
  { fullname }: LiveSource,
  { status, message }: SourceStatus,
  at: Date,
): Promise<void> {
  if (status === 'error')
    await store.triggerStatuses.breakByFailure(fullname, `The data source "${fullname}" is in error: ${message}`, at)
  else {
    await store.triggerStatuses.restoreBySource(fullname, at)
    // A trigger that the error broke could not be told that its part of the blocks is unreadable.
    await store.triggerStatuses.breakByKnownParts(fullname, at)
  }
}

/** The transactions of a block that one line names. */
const namedMax = 5
/** A chain may cut logs in every block, so only so many blocks get a line in this time. The next line counts the others. */
const [linesMax, periodMs] = [10, 10 * 60_000]

/** Lines for the source's log about transactions whose events cannot be seen: one for each block, but not without end. */
export class LostEventLines {
  readonly #now: () => number
  #period = { startedAt: Number.NEGATIVE_INFINITY, lines: 0, left: 0 }

  constructor(now: () => number) {
    this.#now = now
  }

  lineOf(block: number, lost: readonly LostEvents[]): LogLine | undefined {
    const [first] = lost
    if (!first) return undefined
    const now = this.#now()
    const isNew = now - this.#period.startedAt >= periodMs
    const left = isNew ? this.#period.left : 0
    if (isNew) this.#period = { startedAt: now, lines: 0, left: 0 }
    if (this.#period.lines >= linesMax) {
      this.#period.left += 1
      return undefined
    }
    this.#period.lines += 1
    const named = lost.slice(0, namedMax).map(({ transaction }) => transaction)
    const more = lost.length > named.length ? ` and ${lost.length - named.length} more` : ''
    const others = left > 0 ? ` ${left} blocks before it had such transactions too.` : ''
    const message = `Block ${block}: events may be missing of ${named.join(', ')}${more}, because ${first.reason}.${others}`
    return { level: 'warn', message, details: { code: 'events_lost', block, transactions: lost.length } }
  }
}
