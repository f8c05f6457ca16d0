import { makeIsoFormatter } from '../../../engine/base/iso-time.ts'
import type { Listener, LiveTrigger } from '../../listeners/live-trigger.ts'
import type { DraftAlert } from '../fan-out/candidate.ts'

export type BoundListener = { trigger: LiveTrigger; listener: Listener }

const isoOf = makeIsoFormatter()

/** The fields of an alert that no item caused: it has no source and no block. */
export function alertWithoutItem(
  { trigger, listener }: BoundListener,
  atMs: number,
): Omit<DraftAlert, 'id' | 'kind' | 'message' | 'severity'> {
  return {
    state: null,
    resolves: null,
    duration_ms: null,
    subscription_id: listener.subscriptionId,
    rule_id: listener.ruleId,
    account_id: listener.accountId,
    workspace_id: listener.workspaceId,
    project_id: listener.projectId,
    trigger_id: trigger.id,
    project: trigger.project,
    trigger: trigger.fullname,
    source: null,
    block_number: null,
    block_hash: null,
    incarnation: null,
    item_at: isoOf(atMs),
    trace: { item: null, inputs: listener.inputs, providers: {}, activated: true, raw: null, human: null },
  }
}
