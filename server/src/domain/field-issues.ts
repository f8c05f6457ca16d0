import type { Condition, Policy } from '@tocsin/contract'
import { unknownOutputs, unknownParams } from '../engine/check/index.ts'
import type { SubscriptionRow } from '../store/alerts/subscriptions.ts'
import type { DescribedTriggerRow } from '../store/triggers/described-triggers.ts'

/**
 * Says which names of a condition its trigger does not describe, so that it may never be true. Undefined if there are
 * none.
 */
export function conditionIssue(
  condition: Condition | null | undefined,
  trigger: DescribedTriggerRow | undefined,
): string | undefined {
  if (!condition || !trigger) return undefined
  const unknown = unknownParams(condition, describedOf(trigger))
  if (unknown.length === 0) return undefined
  const names = unknown.map((name) => `"${name}"`).join(', ')
  return `The conditions name ${names}, which the trigger "${trigger.fullname}" does not describe. They may never be true.`
}

/** Says which field of a policy names a value that the output of its trigger does not have. */
export function policyIssue(policy: Policy | undefined, trigger: DescribedTriggerRow | undefined): string | undefined {
  if (!policy) return undefined
  for (const field of ['value', 'key'] as const) {
    const path: unknown = Reflect.get(policy, field)
    const issue = typeof path === 'string' ? outputIssue(`policy.${field}`, path, trigger) : undefined
    if (issue !== undefined) return `${issue} ${results[field]}`
  }
  return undefined
}

const results = {
  value: 'The policy may never fire.',
  key: 'The policy may treat all matches as one group.',
}

/** Says that the output of the trigger does not have the value whose first delivery is the only one. */
export function deliveryIssue(
  delivery: SubscriptionRow['delivery'],
  trigger: DescribedTriggerRow | undefined,
): string | undefined {
  const { mode = 'once_per_key', keyPath } = delivery ?? {}
  if (mode !== 'once_per_key' || keyPath === undefined) return undefined
  const issue = outputIssue('delivery.keyPath', keyPath, trigger)
  return issue && `${issue} Only the first match may be delivered.`
}

/** The value of an input is known only to each subscription, so a path that contains one is not judged. */
function outputIssue(field: string, path: string, trigger: DescribedTriggerRow | undefined): string | undefined {
  if (!trigger || path.includes('{{') || unknownOutputs([path], describedOf(trigger)).length === 0) return undefined
  return `${field} names "${path}", which the output of the trigger "${trigger.fullname}" does not have.`
}

function describedOf({ filters, outputs, has_transform: hasTransform, type }: DescribedTriggerRow) {
  return { filtersSchema: filters ?? {}, outputSchema: outputs ?? {}, hasTransform, type: type ?? undefined }
}
