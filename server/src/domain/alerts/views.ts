import type { AlertTrace, AlertValues, AlertView, DeliveryView } from '@tocsin/contract'
import type * as z from 'zod'
import type { AlertRow, DeliveryRow, ResolvingRow, TracedAlertRow } from '../../store/alerts/alerts.ts'
import type { KeyAlert, PolicyValue } from '../../store/alerts/policy-values.ts'

/** JSON leaves out what is undefined. All views have the same fields, so that V8 makes a page of a thousand quickly. */
export function alertView(row: AlertRow): z.output<typeof AlertView> {
  return {
    id: row.id,
    subscription: row.subscription_id ?? undefined,
    workspace: row.workspace,
    project: row.project,
    trigger: row.trigger,
    resource: row.about_resource ?? undefined,
    status: row.status,
    severity: row.severity,
    state: row.state,
    resolves: row.resolves ?? undefined,
    durationMs: row.duration_ms === null ? undefined : Number(row.duration_ms),
    backfilled: row.backfilled,
    hasDeliveries: row.has_deliveries,
    destinations: row.destinations,
    reason: row.reason || undefined,
    retryError: row.retry_error || undefined,
    message: row.message,
    source: row.source ?? undefined,
    block: row.shown_block ?? blockView(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function traceView(
  row: TracedAlertRow,
  deliveries: DeliveryRow[],
  resolving: ResolvingRow | undefined,
): z.output<typeof AlertTrace> {
  const { item, inputs, providers, activated, digest, issues, policy = null, severityRule } = row.trace
  const { raw = item, human = raw } = row.trace
  return {
    ...alertView(row),
    ...(row.rule_id && { rule: row.rule_id }),
    item,
    inputs,
    providers,
    activated,
    ...(issues && { issues }),
    output: { raw, human },
    policy,
    ...(severityRule !== undefined && { severityRule }),
    ...(resolving && { resolvedBy: resolvedByView(resolving) }),
    ...(digest && { digest }),
    deliveries: deliveries.map(deliveryView),
  }
}

function blockView({ block_hash: hash, block_number: number }: AlertRow) {
  return hash === null || number === null ? undefined : { number: Number(number), hash }
}

function resolvedByView({ id, created_at, duration_ms }: ResolvingRow) {
  return { id, createdAt: created_at.toISOString(), durationMs: Number(duration_ms) }
}

function deliveryView(row: DeliveryRow): z.output<typeof DeliveryView> {
  return {
    id: row.id,
    kind: row.kind,
    resource: row.resource,
    blueprint: row.blueprint,
    status: row.status,
    ...(row.repeat > 0 && { repeat: row.repeat }),
    ...(row.folded_into_alert !== null && { foldedInto: row.folded_into_alert }),
    ...(row.folded_count > 0 && { foldedCount: row.folded_count }),
    attempts: row.attempts,
    ...(row.status === 'pending' && { nextAttemptAt: row.due_at.toISOString() }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function valuesView(values: PolicyValue[], alerts: KeyAlert[]): z.output<typeof AlertValues> {
  return {
    values: values.map(({ at, value, bound, until }) => ({
      at: at.toISOString(),
      value,
      ...(bound !== null && { bound }),
      ...(until !== null && { until }),
    })),
    alerts: alerts.map(({ id, at, state }) => ({ id, at: at.toISOString(), state })),
  }
}
