import { makePauses } from '../../engine/base/event-loop-turns.ts'
import { isObject } from '../../engine/base/json.ts'
import { referencesIn } from '../../engine/base/placeholders.ts'
import type { TokenDecimals } from '../../engine/conditions/predicate.ts'
import type { MessageNetwork } from '../../engine/message/index.ts'
import type { Windows } from '../../engine/providers/index.ts'
import type { AddressBook } from '../../engine/render/addresses.ts'
import {
  type RunContext as EngineRunContext,
  type Run,
  type RunInput,
  runTrigger,
} from '../../engine/run-trigger/index.ts'
import { bindInputs } from '../../engine/sources/bindings.ts'
import type { WindowWrite } from '../../store/alerts/state-windows.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluateJob, Match } from '../jobs/job.ts'
import type { Listener, LiveTrigger } from '../listeners/live-trigger.ts'
import type { Postponed } from './alert-quota.ts'
import { type ChunkWindows, chunkWindows } from './chunk-windows.ts'
import { type ChunkRuns, chunkRuns } from './count-runs.ts'
import {
  type AddressBooks,
  addressBooksOf,
  type Candidate,
  candidatesOf,
  networkOfChunk,
  type StreamOutput,
  withItemDecimals,
} from './fan-out/index.ts'
import { openChunkRun } from './open-chunk-run.ts'
import { type FailedAttempts, failedOnceMore, type ParkedMatch, type RetriedMatch } from './retry.ts'
import type { SerialPerTrigger } from './serial-per-trigger.ts'

/** The result of a chunk, ready for the commit. */
export type ChunkResult = {
  claimed: ClaimedJob<EvaluateJob>
  candidates: Candidate[]
  /** Outputs for the triggers that listen to this one. */
  outputs: StreamOutput[]
  windows: WindowWrite[]
  /** Matches whose runs failed for a transient reason, with the listeners that still need them. */
  retries: RetriedMatch[]
  /** Matches whose runs wait for a provider. In an ordered chunk, the matches after such a one too. */
  parked: ParkedMatch[]
  failures: Failure[]
  /** The trigger got a state window after the job was queued, so the job moves to the ordered queue. */
  isMoved: boolean
  /** Matches for subscriptions whose workspace reached its limit of alerts a minute. */
  postponed: Postponed | null
  /** Matches that were not evaluated because the trigger has too many. */
  dropped: Dropped | null
  succeeded: number
  /** Null if nothing ran. */
  runs: ChunkRuns | null
}
/** `breaks` is true if the failure counts towards setting the trigger to broken. */
export type Failure = { reasonCode: string; message: string; sample: Record<string, unknown>; breaks: boolean }
export type Dropped = { level: 'limited' | 'blocked'; count: number; message: string }

/** An ordered chunk failed for a transient reason. It must stay in order, so its job is repeated as a whole. */
export class RetryWholeChunk extends Error {
  readonly failed: FailedAttempts
  constructor(failed: FailedAttempts, reason = 'a node or service is not available') {
    super(reason)
    this.failed = failed
  }
}

/** One run: a match with some inputs, for the listeners that gave them; `isForStream` if other triggers need its outputs. */
type PlannedRun = { match: Match; inputs: Record<string, unknown>; listeners: Listener[]; isForStream: boolean }
export type ChunkContext = { deps: RuntimeDeps; addressBooks: AddressBooks; serialPerTrigger: SerialPerTrigger }

export function emptyResult(claimed: ClaimedJob<EvaluateJob>): ChunkResult {
  return {
    claimed,
    candidates: [],
    outputs: [],
    windows: [],
    retries: [],
    parked: [],
    failures: [],
    isMoved: false,
    postponed: null,
    dropped: null,
    succeeded: 0,
    runs: null,
  }
}

/** Runs a chunk and makes candidates of its outputs. It writes nothing. */
export async function runChunk(
  { deps, addressBooks, serialPerTrigger }: ChunkContext,
  claimed: ClaimedJob<EvaluateJob>,
  trigger: LiveTrigger,
  matches: readonly Match[],
  windows: Windows | ChunkWindows = chunkWindows(deps.store, claimed.data),
): Promise<ChunkResult> {
  const job = claimed.data
  const planned = plan(deps, trigger, matches)
  const opened = openChunkRun(deps, trigger, job, windows)
  try {
    const inputs = planned.map(({ match, inputs }) => ({
      source: match.item,
      inputs,
      nowMs: job.nowMs,
      parked: match.parked,
      ...(job.block && { at: job.block }),
    }))
    const { runs: ended, tookMs } = await serialPerTrigger.run(trigger, () =>
      timedRuns(deps, trigger, inputs, opened.context),
    )
    const { runs, decimals } = await withItemDecimals({ trigger, job, opened }, planned, ended)
    const addressBookOf = await addressBooksOf(
      addressBooks,
      deps.store,
      trigger,
      planned.flatMap(({ listeners }) => listeners),
    )
    const network = await networkOfChunk({ deps, trigger, job, opened }, planned, runs, decimals)
    const result: ChunkResult = { ...emptyResult(claimed), windows: 'writes' in windows ? windows.writes() : [] }
    result.runs = chunkRuns(runs, planned, tookMs)
    const context = { trigger, job, addressBookOf, network, publicUrl: deps.engine.publicUrl(), result }
    const pause = makePauses()
    for (const [index, run] of runs.entries()) {
      await pause()
      const plannedRun = planned[index]
      if (plannedRun) addRun({ ...context, itemDecimals: decimals[index] }, plannedRun, run)
    }
    return result
  } finally {
    opened.close()
  }
}

/** A run that has not begun is not counted. */
async function timedRuns(
  { meter }: RuntimeDeps,
  { runnable }: LiveTrigger,
  inputs: readonly RunInput[],
  context: EngineRunContext,
): Promise<{ runs: Run[]; tookMs: number }> {
  const startedMs = performance.now()
  const runs = await runTrigger(runnable, inputs, context)
  const outcomes = runs.map(({ kind }) => kind).filter((kind) => kind !== 'held')
  const tookMs = performance.now() - startedMs
  meter.runs(outcomes, tookMs)
  return { runs, tookMs }
}

/** Plans the runs of a chunk. Listeners that were removed meanwhile are left out. */
function plan(deps: RuntimeDeps, trigger: LiveTrigger, matches: readonly Match[]): PlannedRun[] {
  const hasDependents = deps.listeners.listenersOfStream(trigger.fullname).length > 0
  return matches.flatMap((match) => {
    const binding = bindingOf(trigger, match)
    const listeners = match.listeners
      .flatMap((key) => trigger.listeners.get(key) ?? [])
      .map((listener) => boundListener(listener, binding))
    const planned = shareRuns(trigger, listeners).map((shared) => ({ match, ...shared, isForStream: false }))
    if (!hasDependents || match.isRetryFor === 'listeners') return planned
    // The stream gets the outputs of a run without a subscriber's inputs.
    const inputs = usesInputs(trigger) ? (binding?.values ?? {}) : {}
    const withoutInputs = planned.find((each) => hasSameInputs(each.inputs, inputs))
    if (withoutInputs) withoutInputs.isForStream = true
    return withoutInputs ? planned : [...planned, { match, inputs, listeners: [], isForStream: true }]
  })
}

type RunContext = {
  trigger: LiveTrigger
  job: EvaluateJob
  itemDecimals: TokenDecimals | undefined
  addressBookOf(listener: Pick<Listener, 'accountId' | 'workspaceId'>): AddressBook | undefined
  network: MessageNetwork | undefined
  publicUrl: string
  result: ChunkResult
}

/** Adds the outputs or the failure of one run to the chunk's result. */
function addRun({ result, ...context }: RunContext, planned: PlannedRun, run: Run): void {
  const { match, listeners, isForStream } = planned
  if (run.kind === 'parked' || run.kind === 'held') addParked(result, planned, run)
  else if (run.kind === 'failed') addFailure(result, planned, run)
  else result.succeeded++
  if (run.kind !== 'output') return
  const onIssue = (issue: string, reasonCode = 'trigger.message_error') =>
    void result.failures.push({
      reasonCode,
      message: issue,
      sample: { item: match.key },
      breaks: false,
    })
  const { outputs, providers, item } = run
  const told = item === match.item ? match : { ...match, item }
  for (const candidate of candidatesOf({ ...context, match: told, outputs, providers, listeners, onIssue }))
    result.candidates.push(candidate)
  if (isForStream) result.outputs.push(...outputs.map(({ raw }, index) => ({ match, raw, index })))
}

/** The match of a run that is repeated, with the listeners of that run alone. */
function matchOf({ match, listeners, isForStream }: PlannedRun): Match {
  const keys = listeners.map(({ key }) => key)
  return { ...match, listeners: keys, ...(!isForStream && { isRetryFor: 'listeners' as const }) }
}

function addParked(result: ChunkResult, planned: PlannedRun, run: Extract<Run, { kind: 'parked' | 'held' }>): void {
  if (run.kind === 'held') result.parked.push({ match: matchOf(planned), delayMs: 0 })
  else result.parked.push({ match: { ...matchOf(planned), parked: run.parking.state }, delayMs: run.parking.delayMs })
}

/** A transient failure becomes a retry while attempts are left. */
function addFailure(result: ChunkResult, planned: PlannedRun, run: Extract<Run, { kind: 'failed' }>): void {
  const { match, listeners } = planned
  const { queue, data } = result.claimed
  const failed = run.isTransient ? failedOnceMore(data, run.isOverload) : undefined
  if (failed && queue === 'evaluate-ordered') throw new RetryWholeChunk(failed, run.issues[0]?.message)
  if (failed) {
    result.retries.push({ match: matchOf(planned), failed })
    return
  }
  const [issue] = run.issues
  result.failures.push({
    reasonCode: 'trigger.runtime_error',
    message: issue ? `${issue.path}: ${issue.message}` : 'the run failed without a message',
    sample: { item: match.key, issues: run.issues.slice(0, 5) },
    breaks: listeners.length > 0,
  })
}

type Values = Record<string, unknown>

/** A binding of a trigger on several sources, and the values that it adds to the inputs. */
type BindingOfItem = { id: string; values: Values }

/** Undefined for a trigger without sourceBindings, and for a binding without values. */
function bindingOf({ bindingValues }: LiveTrigger, { item }: Pick<Match, 'item'>): BindingOfItem | undefined {
  if (typeof item.binding !== 'string') return undefined
  const values = bindingValues?.get(item.binding)
  return values && { id: item.binding, values }
}

/** By the values of a binding. An edit of the trigger or the subscription makes new objects. */
const bound = new WeakMap<Values, WeakMap<Listener, Listener>>()

/** The listener with the inputs that it has for items of the binding. */
function boundListener(listener: Listener, binding: BindingOfItem | undefined): Listener {
  if (!binding) return listener
  const { id, values } = binding
  const ofValues = bound.get(values) ?? new WeakMap<Listener, Listener>()
  bound.set(values, ofValues)
  const made = ofValues.get(listener) ?? { ...listener, binding: id, inputs: bindInputs(listener.inputs, values) }
  ofValues.set(listener, made)
  return made
}

/** Listeners that share a run: they gave the same inputs, or the trigger does not use inputs. */
type SharedRun = { inputs: Record<string, unknown>; listeners: Listener[] }

/**
 * A trigger whose definition never mentions `inputs` runs once for each item, without inputs: a hundred thousand
 * subscribers with a wallet each cost one run. A run never holds the inputs of one listener while it serves another.
 */
function shareRuns(trigger: LiveTrigger, listeners: readonly Listener[]): SharedRun[] {
  if (!usesInputs(trigger)) return listeners.length > 0 ? [{ inputs: {}, listeners: [...listeners] }] : []
  const shared = new Map<string, SharedRun>()
  for (const listener of listeners) {
    const key = keyOf(listener.inputs)
    const run = shared.get(key)
    if (run) run.listeners.push(listener)
    else shared.set(key, { inputs: listener.inputs, listeners: [listener] })
  }
  return [...shared.values()]
}

const usesInputsCache = new WeakMap<LiveTrigger['runnable'], boolean>()

function usesInputs({ runnable }: Pick<LiveTrigger, 'runnable'>): boolean {
  const answer = usesInputsCache.get(runnable) ?? mentionsInputs(partsWithInputs(runnable))
  usesInputsCache.set(runnable, answer)
  return answer
}

function partsWithInputs({ providers, activation, conditions, transform }: LiveTrigger['runnable']): unknown[] {
  return [providers, activation, conditions, transform]
}

function mentionsInputs(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('inputs') || refersToInputs(value)
  if (Array.isArray(value)) return value.some(mentionsInputs)
  return isObject(value) && Object.values(value).some(mentionsInputs)
}

/** Placeholders may be spelled in several ways, so they are parsed. */
function refersToInputs(text: string): boolean {
  return text.includes('{{') && referencesIn(text).some(({ segments }) => segments[0] === 'inputs')
}

function hasSameInputs(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return keyOf(a) === keyOf(b)
}

const inputKeys = new WeakMap<object, string>()

/** The same inputs in another order give the same key. */
function keyOf(inputs: Record<string, unknown>): string {
  const key = inputKeys.get(inputs) ?? JSON.stringify(Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1)))
  inputKeys.set(inputs, key)
  return key
}
