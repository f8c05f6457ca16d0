/** The outputs of a trigger → each of its listeners that they concern: conditions, keys, message. Nothing is written. */
import { makeIso } from '../../../engine/base/iso-time.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { messageContext, renderMessage } from '../../../engine/message/index.ts'
import type { AddressBook } from '../../../engine/render/addresses.ts'
import type { Output } from '../../../engine/run-trigger/index.ts'
import { alertId } from '../../jobs/ids.ts'
import type { EvaluateJob } from '../../jobs/job.ts'
import type { Listener, LiveTrigger } from '../../listeners/listener.ts'
import type { Candidate, DraftAlert } from './candidate.ts'
import { type Ear, earOf } from './ear.ts'

export { alertId, digestId, jobId, orderedJobId } from '../../jobs/ids.ts'
export type { Candidate, DraftAlert } from './candidate.ts'
export { earOf } from './ear.ts'

export type FanOut = {
  trigger: LiveTrigger
  job: EvaluateJob
  item: { key: string; item: SourceItem }
  outputs: readonly Output[]
  providers: Record<string, unknown>
  /** Whose run it was: all of them gave the same inputs, or the trigger does not look at them. */
  listeners: readonly Listener[]
  bookOf(accountId: string): AddressBook | undefined
  /** Where people reach the service. */
  publicUrl: string
  /** A template of this trigger could not be rendered. */
  onIssue(issue: string): void
}

export function fanOut(told: FanOut): Candidate[] {
  const candidates: Candidate[] = []
  for (const [index, output] of told.outputs.entries())
    for (const listener of told.listeners) {
      const ear = earOf(told.trigger, listener)
      const isMet = ear.isMet(output.raw, told.item.item)
      // What is not met matters to a monitor alone, whose warm-up it ends.
      if (isMet || listener.policy?.type === 'monitor') candidates.push(candidateOf(told, ear, output, index, isMet))
    }
  return candidates
}

const isoOf = makeIso()

/** A node may tell any time; a row holds the years that people write with four digits. */
function storableTime(ms: number): string {
  return isoOf(Math.min(Math.max(Number.isFinite(ms) ? ms : 0, 0), 253_402_300_799_999))
}

function candidateOf(told: FanOut, ear: Ear, output: Output, index: number, isMet: boolean): Candidate {
  const { source, block, nowMs } = told.job
  return {
    listener: ear.listener,
    policyKey: ear.policyKey(output.raw),
    deliveryKey: ear.deliveryKey(output.raw),
    itemAtMs: nowMs,
    block: source !== null && block ? { source, hash: block.hash, incarnation: block.incarnation } : null,
    alert: isMet ? draftOf(told, ear, output, index) : null,
  }
}

function draftOf(told: FanOut, ear: Ear, output: Output, outputIndex: number): DraftAlert {
  const { trigger, job, item, providers } = told
  const { listener } = ear
  const { subscriptionId, ruleId, accountId, workspaceId, projectId, inputs } = listener
  const { source, block } = job
  const context = messageContext({ trigger, item: item.item, output, source, block })
  const addressBook = ear.usesAddresses ? told.bookOf(accountId) : undefined
  const { message, issues } = renderMessage(ear.templates, context, { addressBook, publicUrl: told.publicUrl })
  for (const issue of issues) told.onIssue(issue)
  return {
    id: alertId({ subscriptionId, ruleId, triggerId: trigger.id, itemKey: item.key, outputIndex, itemAtMs: job.nowMs }),
    kind: 'match',
    subscription_id: subscriptionId,
    rule_id: ruleId,
    account_id: accountId,
    workspace_id: workspaceId,
    project_id: projectId,
    trigger_id: trigger.id,
    project: trigger.project,
    trigger: trigger.fullname,
    source,
    block_number: block?.number ?? null,
    block_hash: block?.hash ?? null,
    incarnation: block?.incarnation ?? null,
    item_at: storableTime(job.nowMs),
    message,
    trace: {
      item: item.item,
      inputs,
      providers,
      activated: true,
      ...(output.raw !== item.item && { raw: output.raw }),
      ...(output.human !== output.raw && { human: output.human }),
    },
  }
}
