import type { Condition } from '@tocsin/contract'
import { unknownParams } from '../engine/check/index.ts'
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
  const { fullname, filters, outputs, has_transform: hasTransform, type } = trigger
  const described = { filtersSchema: filters ?? {}, outputSchema: outputs ?? {}, hasTransform, type: type ?? undefined }
  const unknown = unknownParams(condition, described)
  if (unknown.length === 0) return undefined
  const names = unknown.map((name) => `"${name}"`).join(', ')
  return `The conditions name ${names}, which the trigger "${fullname}" does not describe. They may never be true.`
}
