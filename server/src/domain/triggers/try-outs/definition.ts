import { type Issue, issuesOf, type PayloadLimits, TriggerSpec } from '@tocsin/contract'
import { checkSpec } from '../../../engine/check/index.ts'
import type { ReadableParts } from '../../../engine/check/try-out.ts'
import type { RunnableTrigger } from '../../../engine/run-trigger/index.ts'
import { readPartsInTurn } from '../../../engine/threads/index.ts'
import { fillReadableLists } from '../../condition-lists.ts'
import type { Caller } from '../../find-source.ts'
import { under } from '../../try-out-binding.ts'

/** The payload of a try-out. */

export type Read<T> = { ok: true; value: T } | { ok: false; issues: Issue[] }

/** The address lists of its conditions are those that the caller may read. */
export async function readTrigger(
  { providers, activation, conditions, transform, outputSchema }: ReadableParts,
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

export async function readSpec(loose: unknown): Promise<Read<TriggerSpec>> {
  const parsed = TriggerSpec.safeParse(loose)
  if (!parsed.success) return { ok: false, issues: under('triggerSpec', issuesOf(parsed.error)) }
  const issues = await checkSpec(parsed.data, 'triggerSpec')
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: parsed.data }
}
