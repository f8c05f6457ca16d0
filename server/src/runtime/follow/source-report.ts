import { randomUUID } from 'node:crypto'
import type { SourceEvent } from '../../engine/sources/source-event.ts'
import type { FollowerState, SourceRuntime, SourceState, SourceStatus } from '../../store/core/tables.ts'
import type { Held } from '../../store/following/followers.ts'
import { requireLease } from '../../store/following/lease.ts'
import type { SourceLogLevel } from '../../store/following/source-logs.ts'
import type { Store } from '../../store/index.ts'
import type { RuntimeDeps } from '../deps.ts'
import { sourceEventJobs } from '../events/index.ts'
import { addJobs } from '../jobs/index.ts'
import type { LiveSource } from '../listeners/index.ts'

export type LogLine = { level: SourceLogLevel; message: string; details?: Record<string, unknown> }
/** What the status says beside the state. */
type Said = { message?: string | undefined; code?: string | undefined }
type World = Pick<RuntimeDeps, 'store' | 'listeners' | 'clock' | 'log' | 'crashPoint'>

/** What a follower tells of its source: status, runtime and log, each in one commit under the lease. */
export class SourceReport {
  readonly #deps: World
  readonly #source: LiveSource
  readonly #held: Held
  #status: SourceStatus
  #runtime: SourceRuntime
  #told = ''
  #storedMessage: string | undefined
  /** What the status goes on saying while all is well. */
  note: string | undefined

  constructor(deps: World, source: LiveSource, held: Held, before: { status: SourceStatus; runtime: SourceRuntime }) {
    this.#deps = deps
    this.#source = source
    this.#held = held
    this.#status = before.status
    this.#storedMessage = before.status.message
    this.#runtime = before.runtime
  }

  get state(): SourceState {
    return this.#status.status
  }

  get runtime(): SourceRuntime {
    return this.#runtime
  }

  see(seen: Partial<SourceRuntime>): void {
    this.#runtime = { ...this.#runtime, ...seen }
  }

  /** Another sentence for the same status; it is stored with the next `tell`. */
  say(message: string | undefined): void {
    const { message: before, ...rest } = this.#status
    this.#status = withMessage(rest, message ?? this.note)
  }

  /** Stores what changed since it was last told. */
  async tell(): Promise<void> {
    const runtime = this.#shown()
    const { message } = this.#status
    const text = JSON.stringify([runtime, message])
    if (text === this.#told) return
    const { store, clock } = this.#deps
    const { latestBlock, headAt } = this.#runtime
    if (latestBlock !== undefined)
      await store.followers.seeHead(this.#held, latestBlock, headAt ? new Date(headAt) : null, clock())
    if (this.#source.id !== null)
      await store.customSources.report(this.#source.id, this.#source.revision, {
        runtime,
        ...(message !== this.#storedMessage && { status: this.#status }),
      })
    this.#storedMessage = message
    this.#told = text
  }

  /** How far a source in error is behind is not known. */
  #shown(state: SourceState = this.state): SourceRuntime {
    const { lag, ...rest } = this.#runtime
    return state === 'error' || lag === undefined ? rest : { ...rest, lag }
  }

  async log(line: LogLine): Promise<void> {
    const { store, clock, log } = this.#deps
    log[line.level]({ source: this.#source.fullname, ...line.details }, line.message)
    const { id, revision } = this.#source
    if (id === null) return
    await store.tx(async (store) => {
      // The row is held, so that lines of one moment come one after the other.
      if (await store.customSources.report(id, revision, { runtime: this.#shown() }))
        await store.sourceLogs.add(id, line, clock())
    })
  }

  /** A change of status, what is logged with it, what it means for triggers, and the event for who listens to it. */
  async change(to: SourceState, line: LogLine, { message, code }: Said = {}): Promise<void> {
    const { store, listeners, clock, log, crashPoint } = this.#deps
    const at = clock()
    const said = { message: message ?? (to === 'running' ? this.note : undefined), code }
    const status = nextStatus(this.#status, to, said, at)
    const event = eventOf(this.#source.fullname, this.#status, status, line)
    if (event) await listeners.refresh()
    log[line.level]({ source: this.#source.fullname, status: to, ...line.details }, line.message)
    await store.tx(async (store) => {
      // Sources before followers, as everybody locks them.
      const isCurrent = await this.#write(store, status, line, at)
      await requireLease(store, this.#held)
      if (!isCurrent) return
      await store.followers.setState(this.#held, this.#state(status))
      await tellTriggers(store, this.#source, status, at)
      if (event) await addJobs(store, [sourceEventJobs(listeners, event, `ev_${randomUUID()}`)])
      await crashPoint('status.beforeCommit')
    })
    await crashPoint('status.afterCommit')
    this.#status = status
    this.#storedMessage = status.message
  }

  /** False when another revision of the source is being started: this one has nothing to say any more. */
  async #write(store: Store, status: SourceStatus, line: LogLine, at: Date): Promise<boolean> {
    const { id, revision } = this.#source
    if (id === null) return true
    if (!(await store.customSources.report(id, revision, { status, runtime: this.#shown(status.status) }))) return false
    await store.sourceLogs.add(id, line, at)
    return true
  }

  #state(status: SourceStatus): FollowerState {
    const network = this.#runtime.chainId ?? this.#runtime.genesisHash
    return { status, runtime: this.#shown(status.status), ...(network !== undefined && { network }) }
  }
}

function nextStatus(before: SourceStatus, to: SourceState, { message, code }: Said, at: Date): SourceStatus {
  const status = { status: to, previousStatus: before.status, ...(code && { code }), updatedAt: at.toISOString() }
  return withMessage(status, message)
}

function withMessage(status: SourceStatus, message: string | undefined): SourceStatus {
  return message === undefined ? status : { ...status, message }
}

/** A source that waits for its runtime is still in the state in which it was before. */
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

async function tellTriggers(
  store: Store,
  { fullname }: LiveSource,
  { status, message }: SourceStatus,
  at: Date,
): Promise<void> {
  if (status === 'error')
    await store.triggerStatuses.breakByFailure(fullname, `The data source "${fullname}" is in error: ${message}`, at)
  else await store.triggerStatuses.restoreBySource(fullname, at)
}
