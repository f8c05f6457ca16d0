import type { Condition } from '@tocsin/contract'
import { unknownParams } from '../engine/check/index.ts'
import type { DescribedTriggerRow } from '../store/triggers/described-triggers.ts'

/** Why a condition may never be met: it names what its trigger does not describe. Undefined if there is nothing to say. */
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
  return `The conditions name ${names}, which the trigger "${fullname}" does not describe; they may never be met.`
}
