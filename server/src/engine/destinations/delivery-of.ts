import type { AlertContext, Delivery } from './destination.ts'

/** A delivery as the store has it. */
export type StoredDelivery = {
  id: string
  alert_id: string
  kind: 'alert' | 'retraction'
  repeat: number
  content: Pick<AlertContext, 'workspace' | 'project' | 'trigger' | 'severity' | 'state' | 'backfilled'> & {
    messageJson: string
    rawJson: string
    humanJson: string
    policyJson?: string | null
    reason: string | null
    subscription_id: string | null
    resolves: string | null
    duration_ms: string | number | null
    source: string | null
    block_number: string | number | null
    block_hash: string | null
    alerted_at: Date
  }
  reference: Record<string, unknown> | null
}

/** The delivery as destinations take it. Assignments cost a fraction of objects that are spread into it. */
export function deliveryOf({ id, alert_id, kind, repeat, content, reference }: StoredDelivery): Delivery {
  const { messageJson, reason } = content
  const delivery: Delivery = { id, kind, messageJson, context: contextOf(alert_id, repeat, content) }
  if (reason !== null) delivery.reason = reason
  if (reference !== null) delivery.reference = reference
  return delivery
}

function contextOf(alertId: string, repeat: number, content: StoredDelivery['content']): AlertContext {
  const { subscription_id: subscription, resolves, duration_ms: durationMs, source } = content
  const { block_number: number, block_hash: hash } = content
  const context: AlertContext = {
    alertId,
    workspace: content.workspace,
    project: content.project,
    trigger: content.trigger,
    severity: content.severity,
    state: content.state,
    backfilled: content.backfilled,
    rawJson: content.rawJson,
    humanJson: content.humanJson,
    createdAt: content.alerted_at,
  }
  if (content.policyJson) context.policyJson = content.policyJson
  if (subscription !== null) context.subscription = subscription
  if (resolves !== null) context.resolves = resolves
  if (durationMs !== null) context.durationMs = Number(durationMs)
  if (repeat > 0) context.repeat = repeat
  if (source !== null) context.source = source
  if (number !== null && hash !== null) context.block = { number: Number(number), hash }
  return context
}
