import { type AlertPolicy, isStatePolicy } from '@tocsin/contract'
import { messageContext, renderMessage, templatesOf } from '../../../../engine/message/index.ts'
import type { PolicyEvent } from '../../../../engine/policies/key-state.ts'
import { alertPolicy, rulesOf } from '../../../../engine/policies/state-policies.ts'
import type { BlockIncarnation, FiringRow } from '../../../../store/alerts/alert-writes.ts'
import { resolvedAlertId } from '../../../jobs/ids.ts'
import type { Backfill } from '../../../jobs/job.ts'
import type { CandidateOutput, DraftAlert } from '../../fan-out/index.ts'
import type { KeySeed } from '../alert-to-record.ts'
import { alertWithoutItem, type BoundListener } from '../alert-without-item.ts'

type Event<Kind> = Extract<PolicyEvent<KeySeed>, { kind: Kind }>
/** `output` is the output that caused the event, if one did. */
export type EventCause = BoundListener & {
  output?: CandidateOutput | undefined
  publicUrl: string
  /** Set if an item of the subscription's history caused the event. */
  backfill?: Backfill | null
}

/** The alert of a policy that fires. */
export function firingAlert(event: Event<'fired'>, cause: EventCause): DraftAlert | undefined {
  const state = 'firing' as const
  if (event.by === 'absence') return { ...absenceAlert(event, cause), state }
  if (event.by === 'seed') return { ...alertOfWarmup(event), state }
  const alert = cause.output?.draft(alertPolicy(cause.listener.policy, event.details))
  return alert && { ...alert, state }
}

/** It is caused by the output that began the warm-up, and shows the newest one, which is as serious as it is now. */
function alertOfWarmup({ seed, newest }: Extract<Event<'fired'>, { by: 'seed' }>): DraftAlert {
  if (!newest || newest.id === seed.id) return seed.alert
  const { severity } = newest.alert
  return { ...seed.alert, ...shownOf(newest.alert), severity }
}

/** What a lasting alert shows of its newest output. */
export function shownOf({ message, trace, block_number: number, block_hash: hash }: DraftAlert) {
  return { message, trace, ...(number !== null && hash !== null && { shown_block: { number: Number(number), hash } }) }
}

/** Only the subscription's own texts are used, because the trigger's are written for outputs. */
function absenceAlert(
  { id, atMs, lastAtMs, mark }: Extract<Event<'fired'>, { by: 'absence' }>,
  cause: EventCause,
): DraftAlert {
  const { trigger, listener, publicUrl } = cause
  const { policy, overrides } = listener
  const raw = { lastAt: new Date(lastAtMs).toISOString(), within: policy?.type === 'absence' ? policy.within : '' }
  const { severity } = templatesOf(trigger.definition.defaults, overrides)
  const templates = { ...absenceTexts, ...(severity !== undefined && { severity }), ...overrides }
  const decided = alertPolicy(policy, { sinceMs: lastAtMs, lastAtMs })
  const context = messageContext({ trigger, item: raw, output: { raw, human: raw }, policy: decided })
  const severityScope = { item: raw, inputs: listener.inputs }
  const rendered = renderMessage(templates, context, { publicUrl, severityScope })
  const alert = { ...alertWithoutItem(cause, atMs), ...(mark && hiddenBlock(mark)) }
  const issues = rendered.issues.length > 0 ? { issues: rendered.issues } : {}
  const { message } = rendered
  return {
    ...alert,
    id,
    kind: 'match',
    message,
    severity: rendered.severity,
    trace: { ...alert.trace, raw, human: raw, ...(decided && { policy: decided }), ...issues },
  }
}

/** Without a number the alert shows no block, but a reorg that undoes the last output finds and retracts it. */
function hiddenBlock({ source, hash, incarnation }: BlockIncarnation) {
  return { source, block_hash: hash, incarnation }
}

/** What a message says if nothing came, unless the subscription has texts of its own. */
export const absenceTexts = {
  title: '{{meta.title}}: nothing for {{raw.within}}',
  short: 'Nothing came since {{raw.lastAt}}.',
}

/**
 * The alert that a firing one is over. It has the severity of the firing alert. Some policies show the output that resolved
 * it; the others show the message of the firing alert, because no output tells more.
 */
export function resolvedAlert(
  { firing, atMs, by, details }: Event<'resolved'>,
  firingId: string,
  cause: EventCause,
  fired: Pick<FiringRow, 'message' | 'severity'> | undefined,
): DraftAlert {
  const output = by === 'output' ? cause.output : undefined
  const { message, severity } = fired ?? { message: { title: cause.trigger.title }, severity: 'info' as const }
  const { policy } = cause.listener
  const showsRecovery = isStatePolicy(policy) && rulesOf(policy).showsRecovery
  const decided = alertPolicy(policy, details ?? firing.details)
  const shown = output?.draft(decided) ?? withoutOutput(cause, atMs, message, decided)
  return {
    ...shown,
    ...(!showsRecovery && { message }),
    id: resolvedAlertId(firingId, output?.alertId ?? '', atMs),
    severity,
    state: 'resolved',
    resolves: firingId,
    duration_ms: Math.max(0, Math.round(atMs - firing.sinceMs)),
  }
}

function withoutOutput(cause: EventCause, atMs: number, message: DraftAlert['message'], policy: AlertPolicy | null) {
  const alert = alertWithoutItem(cause, atMs)
  return { ...alert, kind: 'match' as const, message, trace: { ...alert.trace, ...(policy && { policy }) } }
}
