import type { Condition, Policy } from '@tocsin/contract'
import { unknownOutputs, unknownParams } from '../engine/check/index.ts'
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
  if (!policy || !trigger) return undefined
  for (const field of ['value', 'key'] as const) {
    const path: unknown = Reflect.get(policy, field)
    if (typeof path === 'string' && unknownOutputs([path], describedOf(trigger)).length > 0)
      return `policy.${field} names "${path}", which the output of the trigger "${trigger.fullname}" does not have. ${results[field]}`
  }
  return undefined
}

const results = {
  value: 'The policy may never fire.',
  key: 'The policy may treat all matches as one group.',
}

function describedOf({ filters, outputs, has_transform: hasTransform, type }: DescribedTriggerRow) {
  return { filtersSchema: filters ?? {}, outputSchema: outputs ?? {}, hasTransform, type: type ?? undefined }
}
