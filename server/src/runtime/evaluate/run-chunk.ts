import type { AddressBook } from '../../engine/render/addresses.ts'
import { type Run, runTrigger } from '../../engine/run-trigger/index.ts'
import type { WindowWrite } from '../../store/alerts/state-windows.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluateJob, Match } from '../jobs/job.ts'
import type { Listener, LiveTrigger } from '../listeners/listener.ts'
import type { Postponed } from './alert-quota.ts'
import { type AddressBooks, addressBooksOf, type Candidate, candidatesOf, type StreamOutput } from './fan-out/index.ts'
import { shareRuns } from './inputs.ts'
import { openChunkRun } from './open-chunk-run.ts'
import { attemptsMax } from './retry.ts'
import type { Turns } from './turns.ts'
import { chunkWindows } from './windows.ts'

/** All that a chunk brings, ready to be committed. */
export type Evaluated = {
  claimed: ClaimedJob<EvaluateJob>
  candidates: Candidate[]
  /** For the triggers that listen to this one. */
  outputs: StreamOutput[]
  windows: WindowWrite[]
  /** Matches whose runs failed for a reason that may pass, with the listeners that still wait for them. */
  again: Match[]
  failures: Failure[]
  /** The trigger remembers since it was edited, so its items go into the queue that keeps their order. */
  isMoved: boolean
  /** Matches for subscriptions whose workspace has had its alerts of this minute. */
  postponed: Postponed | null
  /** Matches that were not looked at because there are too many. */
  dropped: Dropped | null
  succeeded: number
}
/** `breaks` is false for what does not keep the trigger from running. */
export type Failure = { reasonCode: string; message: string; sample: Record<string, unknown>; breaks: boolean }
export type Dropped = { level: 'limited' | 'blocked'; count: number; message: string }

/** What remembers goes on in order, so a chunk of it waits as a whole; nothing of it was kept. */
export class Unready extends Error {
  constructor(reason = 'something on the way is down') {
    super(reason)
  }
}

/** One run: an item with some inputs, for the listeners that gave them; `isForStream` where other triggers listen. */
type Planned = { match: Match; inputs: Record<string, unknown>; listeners: Listener[]; isForStream: boolean }
export type Chunk = { deps: RuntimeDeps; books: AddressBooks; turns: Turns }

export function nothingOf(claimed: ClaimedJob<EvaluateJob>): Evaluated {
  return {
    claimed,
    candidates: [],
    outputs: [],
    windows: [],
    again: [],
    failures: [],
    isMoved: false,
    postponed: null,
    dropped: null,
    succeeded: 0,
  }
}

/** Runs a chunk and hands its outputs to whoever listens. Nothing is written. */
export async function runChunk(
  { deps, books, turns }: Chunk,
  claimed: ClaimedJob<EvaluateJob>,
  trigger: LiveTrigger,
  matches: readonly Match[],
): Promise<Evaluated> {
  const job = claimed.data
  const planned = plan(deps, trigger, matches)
  const windows = chunkWindows(deps.store, job)
  const opened = openChunkRun(deps, trigger, job, windows)
  try {
    const inputs = planned.map(({ match, inputs }) => ({
      source: match.item,
      inputs,
      nowMs: job.nowMs,
      ...(job.block && { at: job.block }),
    }))
    const runs = await turns.take(trigger, () => runTrigger(trigger.runnable, inputs, opened.context))
    const addressBookOf = await addressBooksOf(
      books,
      deps.store,
      trigger,
      planned.flatMap(({ listeners }) => listeners),
    )
    const evaluated: Evaluated = { ...nothingOf(claimed), windows: windows.writes() }
    for (const [index, run] of runs.entries()) {
      const one = planned[index]
      if (one) settleRun({ trigger, job, addressBookOf, publicUrl: deps.engine.publicUrl(), evaluated }, one, run)
    }
    return evaluated
  } finally {
    opened.close()
  }
}

/** A listener that is gone by now gets nothing. */
function plan(deps: RuntimeDeps, trigger: LiveTrigger, matches: readonly Match[]): Planned[] {
  const isHeard = deps.listeners.listenersOfStream(trigger.fullname).length > 0
  return matches.flatMap((match) => {
    const listeners = match.listeners.flatMap((key) => trigger.listeners.get(key) ?? [])
    const planned = shareRuns(trigger, listeners).map((shared) => ({ match, ...shared, isForStream: false }))
    if (!isHeard || match.isRetryFor === 'listeners') return planned
    const plain = planned.find(({ inputs }) => Object.keys(inputs).length === 0)
    if (plain) plain.isForStream = true
    return plain ? planned : [...planned, { match, inputs: {}, listeners: [], isForStream: true }]
  })
}

type Settling = {
  trigger: LiveTrigger
  job: EvaluateJob
  addressBookOf(accountId: string): AddressBook | undefined
  publicUrl: string
  evaluated: Evaluated
}

function settleRun({ trigger, job, addressBookOf, publicUrl, evaluated }: Settling, planned: Planned, run: Run): void {
  const { match, listeners, isForStream } = planned
  if (run.kind === 'failed') failRun(evaluated, planned, run)
  else evaluated.succeeded++
  if (run.kind !== 'output') return
  const onIssue = (issue: string) =>
    void evaluated.failures.push({
      reasonCode: 'trigger.message_error',
      message: issue,
      sample: { item: match.key },
      breaks: false,
    })
  const { outputs, providers } = run
  evaluated.candidates.push(
    ...candidatesOf({ trigger, job, match, outputs, providers, listeners, addressBookOf, publicUrl, onIssue }),
  )
  if (isForStream) evaluated.outputs.push(...outputs.map(({ raw }, index) => ({ match, raw, index })))
}

function failRun(evaluated: Evaluated, planned: Planned, run: Extract<Run, { kind: 'failed' }>): void {
  const { match, listeners, isForStream } = planned
  const { queue, retryCount, data } = evaluated.claimed
  if (run.isTransient && queue === 'evaluate-ordered' && retryCount < attemptsMax)
    throw new Unready(run.issues[0]?.message)
  if (run.isTransient && queue === 'evaluate' && (data.attempt ?? 0) < attemptsMax) {
    const keys = listeners.map(({ key }) => key)
    evaluated.again.push({ ...match, listeners: keys, ...(!isForStream && { isRetryFor: 'listeners' as const }) })
    return
  }
  const [issue] = run.issues
  evaluated.failures.push({
    reasonCode: 'trigger.runtime_error',
    message: issue ? `${issue.path}: ${issue.message}` : 'failed without a reason',
    sample: { item: match.key, issues: run.issues.slice(0, 5) },
    breaks: listeners.length > 0,
  })
}
