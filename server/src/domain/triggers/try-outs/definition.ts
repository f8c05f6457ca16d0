import type { PayloadLimits } from '@tocsin/contract'
import type { Read, SentParts } from '../../../engine/check/try-out.ts'
import type { RunnableTrigger } from '../../../engine/run-trigger/index.ts'
import { readPartsInTurn } from '../../../engine/threads/index.ts'
import { fillReadableLists } from '../../condition-lists.ts'
import type { Caller } from '../../find-source.ts'

/** The payload of a try-out. */

/** The address lists of its conditions are those that the caller may read. */
export async function readTrigger(
  { providers, activation, conditions, transform, outputSchema }: SentParts,
  limits: PayloadLimits,
  { store, account }: Pick<Caller, 'store' | 'account'>,
): Promise<Read<RunnableTrigger>> {
  const parts = { providers, activation, conditions, transform, outputSchema }
  const read = await readPartsInTurn(account.id, parts, limits)
  if (!read.ok) return read
  const filled = await fillReadableLists(store, account, read.value.conditions, 'conditions')
  if (filled.issues.length > 0) return { ok: false, issues: filled.issues }
  return { ok: true, value: { ...read.value, conditions: filled.condition, executionPolicy: null } }
}
