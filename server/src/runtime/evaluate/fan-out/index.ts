/** Turns the outputs of a run into candidates: alerts with their ids, before the policies decide. It writes nothing. */
import type { AlertPolicy, Policy } from '@tocsin/contract'
import { makeIsoFormatter } from '../../../engine/base/iso-time.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import type { ItemDecimals } from '../../../engine/conditions/index.ts'
import { fanOut, isStatePolicy, type ListenerOutput } from '../../../engine/fan-out/index.ts'
import type { MessageNetwork } from '../../../engine/message/index.ts'
import type { AddressBook } from '../../../engine/render/addresses.ts'
import type { Output } from '../../../engine/run-trigger/index.ts'
import { alertId } from '../../jobs/ids.ts'
import type { EvaluateJob } from '../../jobs/job.ts'
import type { Listener, LiveTrigger } from '../../listeners/live-trigger.ts'
import type { Candidate, CandidateOutput, DraftAlert } from './candidate.ts'

export { type AddressBooks, addressBooksOf } from './address-books.ts'
export type { Candidate, CandidateOutput, DraftAlert } from './candidate.ts'
export { networkOfChunk } from './chunk-network.ts'
export { withItemDecimals } from './item-decimals.ts'
export { depthMax, type StreamOutput, streamJobs } from './streams.ts'

export type FannedRun = {
  trigger: LiveTrigger
  job: EvaluateJob
  match: { key: string; item: SourceItem }
  outputs: readonly Output[]
  itemDecimals?: ItemDecimals
  providers: Record<string, unknown>
  /** The listeners whose inputs the run had. */
  listeners: readonly Listener[]
  addressBookOf(accountId: string): AddressBook | undefined
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
  const keepsUnmet = ({ policy }: Listener) => policy?.type === 'monitor'
  const onIssue = (issue: string) => run.onIssue(issue, 'trigger.conditions_cost')
  return fanOut({ ...work, keepsUnmet, onIssue }).map((fannedOut) => candidateOf(run, fannedOut))
}

const isoOf = makeIsoFormatter()

/** A node may report any time, but PostgreSQL text times here have years of four digits. */
export function storableTime(ms: number): string {
  return isoOf(Math.min(Math.max(Number.isFinite(ms) ? ms : 0, 0), 253_402_300_799_999))
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
  const drafts = new Map<string, DraftAlert>()
  const issues = new Set<string>()
  return {
    trigger: run.trigger,
    value: compiled.policyValue(output.raw),
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
  const { message, severity, issues } = render(policy)
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
      ...(issues.length > 0 && { issues }),
    },
  }
}
