/** Turns the outputs of a run into candidates: alerts with their ids, before the policies decide. It writes nothing. */

import { type AlertPolicy, isStatePolicy, itemToken, type Policy, policyOfType } from '@tocsin/contract'
import { storableTime } from '../../../engine/base/iso-time.ts'
import { isObject } from '../../../engine/base/json.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import type { TokenDecimals } from '../../../engine/conditions/predicate.ts'
import { compiledListener, fanOut, type ListenerOutput, readItemDecimals } from '../../../engine/fan-out/index.ts'
import { type MessageNetwork, makeAddressBook } from '../../../engine/message/index.ts'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import type { AddressBook } from '../../../engine/render/addresses.ts'
import type { OpenedRun, Output, Run } from '../../../engine/run-trigger/index.ts'
import { storable } from '../../../store/core/storable.ts'
import type { Store } from '../../../store/index.ts'
import type { RuntimeDeps } from '../../deps.ts'
import { alertId } from '../../jobs/ids.ts'
import type { EvaluateJob, Match } from '../../jobs/job.ts'
import { jobsOf, type QueuedJob } from '../../jobs/split.ts'
import type { Listener, LiveTrigger } from '../../listeners/live-trigger.ts'
import type { Candidate, CandidateOutput, DraftAlert } from './candidate.ts'

export type { Candidate, CandidateOutput, DraftAlert } from './candidate.ts'
export { networkOfChunk } from './chunk-network.ts'

export type FannedRun = {
  trigger: LiveTrigger
  job: EvaluateJob
  match: { key: string; item: SourceItem }
  outputs: readonly Output[]
  itemDecimals?: TokenDecimals | undefined
  providers: Record<string, unknown>
  /** The listeners whose inputs the run had. */
  listeners: readonly Listener[]
  addressBookOf(listener: Pick<Listener, 'accountId' | 'workspaceId'>): AddressBook | undefined
  network: MessageNetwork | undefined
  publicUrl: string
  /** Called when a message template cannot be rendered, or a listener's policy or conditions cannot use the output. */
  onIssue(issue: string, reasonCode?: string): void
}

export function candidatesOf(run: FannedRun): Candidate[] {
  const { trigger, job, match, outputs, itemDecimals, listeners, addressBookOf, network, publicUrl } = run
  const { source, block } = job
  const work = {
    trigger,
    item: match.item,
    source,
    block,
    outputs,
    itemDecimals,
    listeners,
    addressBookOf,
    network,
    publicUrl,
  }
  // An output that does not meet the conditions ends the warm-up of a monitor.
  const keepsUnmet = ({ policy }: Listener) => policyOfType(policy?.type)?.needsUnmet === true
  const onIssue = (issue: string) => run.onIssue(issue, 'trigger.conditions_cost')
  return fanOut<Listener>({ ...work, keepsUnmet, onIssue }).map((fannedOut) => candidateOf(run, fannedOut))
}

function candidateOf(run: FannedRun, fannedOut: ListenerOutput<Listener>): Candidate {
  const { compiled, output, isMet } = fannedOut
  const { source, block, nowMs } = run.job
  const hasStates = isStatePolicy(compiled.listener.policy)
  const hasSuppressed = compiled.listener.policy?.type === 'throttle'
  return {
    listener: compiled.listener,
    policyKey: compiled.policyKey(output.raw),
    deliveryKey: compiled.deliveryKey(output.raw),
    itemAtMs: nowMs,
    backfill: run.job.backfill ?? null,
    block: source !== null && block ? { source, hash: block.hash, incarnation: block.incarnation } : null,
    alert: isMet && !hasStates ? draftOf(run, fannedOut, ofMonitor(compiled.listener.policy, nowMs)) : null,
    ...(isMet && hasSuppressed && { withPolicy: (policy) => draftOf(run, fannedOut, policy) }),
    ...(isMet && hasStates && { output: outputOf(run, fannedOut) }),
  }
}

/** The warm-up of a monitor begins with the output that its alert shows. */
function ofMonitor(policy: Policy, sinceMs: number): AlertPolicy | null {
  if (policy?.type !== 'monitor') return null
  return { type: 'monitor', ...(policy.for !== undefined && { for: policy.for }), since: storableTime(sinceMs) }
}

/** The same alert is made at most once, also if its commit is repeated. */
function outputOf(run: FannedRun, fannedOut: ListenerOutput<Listener>): CandidateOutput {
  const { compiled, output } = fannedOut
  const { itemDecimals } = run
  const whyNoValue = compiled.whyNoUnit(itemDecimals)
  const drafts = new Map<string, DraftAlert>()
  const issues = new Set<string>()
  return {
    trigger: run.trigger,
    value: compiled.policyValue(output.raw, itemDecimals),
    ...(whyNoValue !== undefined && { whyNoValue }),
    alertId: alertIdOf(run, fannedOut),
    draft: (policy) => {
      const known = JSON.stringify(policy)
      const draft = drafts.get(known) ?? draftOf(run, fannedOut, policy)
      drafts.set(known, draft)
      return draft
    },
    onIssue(issue) {
      if (!issues.has(issue)) run.onIssue(issue, 'trigger.policy_value')
      issues.add(issue)
    },
  }
}

function alertIdOf({ trigger, job, match }: FannedRun, { compiled, outputIndex }: ListenerOutput<Listener>): string {
  const { subscriptionId, ruleId } = compiled.listener
  const cause = { subscriptionId, ruleId, triggerId: trigger.id, itemKey: match.key, outputIndex }
  return alertId({ ...cause, itemAtMs: job.nowMs })
}

function draftOf(run: FannedRun, fannedOut: ListenerOutput<Listener>, policy: AlertPolicy | null): DraftAlert {
  const { compiled, output, render } = fannedOut
  const { trigger, job, match, providers, onIssue } = run
  const { subscriptionId, ruleId, accountId, workspaceId, projectId, inputs } = compiled.listener
  const { source, block } = job
  const { message, severity, severityRule, issues } = render(policy)
  for (const issue of issues) onIssue(issue)
  return {
    id: alertIdOf(run, fannedOut),
    kind: 'match',
    state: null,
    resolves: null,
    duration_ms: null,
    subscription_id: subscriptionId,
    rule_id: ruleId,
    account_id: accountId,
    workspace_id: workspaceId,
    project_id: projectId,
    trigger_id: trigger.id,
    project: trigger.project,
    trigger: trigger.fullname,
    severity,
    source,
    block_number: block?.number ?? null,
    block_hash: block?.hash ?? null,
    incarnation: block?.incarnation ?? null,
    item_at: storableTime(job.nowMs),
    message,
    trace: {
      item: match.item,
      inputs,
      providers,
      activated: true,
      ...(output.raw !== match.item && { raw: output.raw }),
      ...(output.human !== output.raw && { human: output.human }),
      ...(policy && { policy }),
      ...(severityRule !== undefined && { severityRule }),
      ...(issues.length > 0 && { issues }),
    },
  }
}

/** Address books by account and workspace. They are cached for five seconds, so a changed alias appears within that time. */
export type AddressBooks = Map<string, { book: AddressBook; untilMs: number }>

const cachedMs = 5_000
const booksMax = 1_000

/** Reads the address books for those listeners whose messages show addresses: the subscriber's own, then the workspace's. */
export async function addressBooksOf(
  addressBooks: AddressBooks,
  store: Store,
  trigger: LiveTrigger,
  listeners: readonly Listener[],
): Promise<BookOf> {
  const wanted = new Map<string, Reader>()
  for (const listener of listeners)
    if (compiledListener(trigger, listener).usesAddresses) wanted.set(readerKey(listener), listener)
  if (addressBooks.size > booksMax) addressBooks.clear()
  const nowMs = performance.now()
  const read = new Map<string, AddressBook>()
  for (const [key, { accountId, workspaceId }] of wanted) {
    const known = addressBooks.get(key)
    const isFresh = known !== undefined && known.untilMs > nowMs
    const book = isFresh ? known.book : makeAddressBook(await store.addresses.listForBooks(accountId, workspaceId))
    if (!isFresh) addressBooks.set(key, { book, untilMs: nowMs + cachedMs })
    read.set(key, book)
  }
  return (reader) => read.get(readerKey(reader))
}

type Reader = Pick<Listener, 'accountId' | 'workspaceId'>
type BookOf = (reader: Reader) => AddressBook | undefined

function readerKey({ accountId, workspaceId }: Reader): string {
  return `${accountId} ${workspaceId}`
}

type Chunk = { trigger: LiveTrigger; job: EvaluateJob; opened: OpenedRun }
type Planned = { match: Match; listeners: readonly Listener[] }

/**
 * Reads the decimals that the conditions of listeners need. A run whose token could not be read fails for a transient reason,
 * so that it is repeated: its conditions may hold.
 */
export async function withItemDecimals(
  { trigger, job, opened }: Chunk,
  planned: readonly Planned[],
  runs: readonly Run[],
): Promise<{ runs: Run[]; decimals: (TokenDecimals | undefined)[] }> {
  const source = job.source ?? trigger.dataSource
  const read = async (run: Run, at: number): Promise<{ run: Run; decimals: TokenDecimals | undefined }> => {
    const plan = planned[at]
    if (run.kind !== 'output' || !plan) return { run, decimals: undefined }
    // A stream and a timer have no tokens.
    if (source === null) return { run, decimals: new Map([[itemToken, null]]) }
    const { match, listeners } = plan
    try {
      const connection = () => opened.connection(source)
      return { run, decimals: await readItemDecimals(trigger, match.item, listeners, connection) }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      const message = `the decimals of the token could not be read: ${error.message}`
      const issues = [...run.issues, { path: 'conditions', message }]
      return { run: { ...run, kind: 'failed', isTransient: true, isOverload: false, issues }, decimals: undefined }
    }
  }
  const done: { run: Run; decimals: TokenDecimals | undefined }[] = []
  for (const [at, run] of runs.entries()) done.push(await read(run, at))
  return { runs: done.map(({ run }) => run), decimals: done.map(({ decimals }) => decimals) }
}

/** An output of a trigger that becomes an item of the triggers that listen to it. */
export type StreamOutput = { match: Match; raw: unknown; index: number }

/** A loop of triggers ends after this many triggers. */
export const depthMax = 8

type Deps = Pick<RuntimeDeps, 'listeners'>

/** Makes jobs for each trigger that listens: the outputs in their order, with the block that they came from. */
export function streamJobs(
  deps: Deps,
  job: EvaluateJob,
  trigger: LiveTrigger,
  outputs: readonly StreamOutput[],
): QueuedJob[] {
  return deps.listeners.listenersOfStream(trigger.fullname).flatMap((dependent) => {
    const matches = outputs.flatMap((output) => matchOf(deps, trigger, dependent, output))
    const cause = { parts: ['stream', matches[0]?.key ?? '', job.attempt ?? 0], order: job.nowMs }
    return jobsOf(dependent, { ...job, matches, depth: job.depth + 1, attempt: 0 }, cause)
  })
}

/** No match if the item lacks the values that the backend requires, or has no listeners. */
function matchOf(
  deps: Deps,
  trigger: LiveTrigger,
  dependent: LiveTrigger,
  { match, raw, index }: StreamOutput,
): Match[] {
  const item = itemOf(raw)
  if (!deps.listeners.acceptsItem(dependent, item)) return []
  const listeners = deps.listeners.listenersFor(dependent, item)
  if (listeners.length === 0 && deps.listeners.listenersOfStream(dependent.fullname).length === 0) return []
  return [{ key: `${match.key}>${trigger.id}:${index}`, item, listeners }]
}

function itemOf(raw: unknown): SourceItem {
  const value = storable(raw)
  return isObject(value) ? value : { value }
}
