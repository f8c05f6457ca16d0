import type { Policy, PolicyPreview } from '@tocsin/contract'
import type * as z from 'zod'
import { readDecimal, showDecimal } from '../../engine/base/decimals.ts'
import { storableTime } from '../../engine/base/iso-time.ts'
import { fillPlaceholders } from '../../engine/fan-out/index.ts'
import { openPastPolicy } from '../../engine/policies/past-policy.ts'
import type { PolicyValue } from '../../store/alerts/policy-values.ts'
import type { Handler } from '../handler.ts'
import { requireOwnSubscription } from './read.ts'

type Preview = z.input<typeof PolicyPreview>
const keysMax = 100

/** Runs the policy over the stored values, while somebody edits it. Nothing is saved. */
export const previewPolicy: Handler<'previewPolicy'> = async ({ account, params, body, store, now }) => {
  const { id, policy: saved, inputs } = await requireOwnSubscription(store, account, params.id)
  const policy = body.policy && fillPlaceholders(body.policy, inputs ?? {})
  const none = (issue: string): Preview => ({ values: [], alerts: [], key: body.key ?? '', keys: [], issue })
  const wanted = valuePathOf(policy)
  if (wanted === undefined) return none('This policy compares no value, so there is nothing to show.')
  const stored = valuePathOf(saved)
  if (stored !== undefined && stored !== wanted)
    return none(`Values of ${wanted} are stored only while a saved policy compares them; now it compares ${stored}.`)
  const found = await store.policyValues.listKeys(id, keysMax)
  const chosen = found.find(({ key }) => body.key === undefined || key === body.key)
  if (!chosen) return none('No values are stored yet. They are stored while a saved policy compares them.')
  const values = await store.policyValues.list({ subscriptionId: id, ...chosen })
  return { ...alertsOver(values, policy, now), key: chosen.key, keys: [...new Set(found.map(({ key }) => key))] }
}

function valuePathOf(policy: Policy): string | undefined {
  return policy && 'value' in policy ? policy.value : undefined
}

/** The values are those of one key, so the policy has one state. */
function alertsOver(
  values: readonly PolicyValue[],
  policy: Policy,
  now: Date,
): Pick<Preview, 'values' | 'alerts' | 'issue'> {
  const past = openPastPolicy<number>(policy, values[0]?.at.getTime() ?? now.getTime())
  const events = values.flatMap(({ at, value }, index) =>
    past.add({ id: `${index}`, atMs: at.getTime(), key: '', value, isMet: true, of: index }),
  )
  const all = [...events, ...past.end(now.getTime())].sort((a, b) => a.atMs - b.atMs)
  const bounds = boundsOf(policy)
  const issue = past.issue()
  return {
    values: values.map(({ at, value }) => ({ at: at.toISOString(), value, ...bounds })),
    alerts: all.map(({ atMs, state, policy }) => ({ at: storableTime(atMs), state, policy })),
    ...(issue !== undefined && { issue }),
  }
}

function boundsOf(policy: Policy): { bound?: string; until?: string } {
  if (policy?.type !== 'threshold') return {}
  const [bound, until] = [policy.above ?? policy.below, policy.until].map(readDecimal)
  return { ...(bound && { bound: showDecimal(bound) }), ...(until && { until: showDecimal(until) }) }
}
