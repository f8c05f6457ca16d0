import {
  Activation,
  type Issue,
  issuesOf,
  OutputSchema,
  overScripts,
  type PayloadLimits,
  Provider,
  Transform,
  TriggerConditions,
  TriggerSpec,
} from '@tocsin/contract'
import * as z from 'zod'
import {
  checkConditions,
  checkOutputSchema,
  checkProviders,
  checkScript,
  checkSpec,
} from '../../../engine/check/index.ts'
import type { RunnableTrigger } from '../../../engine/run-trigger/index.ts'
import { fillReadableLists } from '../../condition-lists.ts'
import type { Caller } from '../../find-source.ts'
import { under } from '../../try-out-binding.ts'

/** The payload of a try-out. It is loose, because a try-out exists to find its issues. */

export type Loose = {
  providers: unknown[]
  activation?: unknown
  conditions?: unknown
  transform: unknown
  outputSchema?: unknown
}
export type Read<T> = { ok: true; value: T } | { ok: false; issues: Issue[] }

const Parts = z.object({
  providers: z.array(Provider),
  activation: Activation.nullish().transform((activation) => activation ?? null),
  conditions: TriggerConditions.nullish(),
  transform: Transform.nullable(),
  outputSchema: OutputSchema.nullish().transform((schema) => schema ?? undefined),
})

/** The address lists of its conditions are those that the caller may read. */
export async function readTrigger(
  loose: Loose,
  limits: PayloadLimits,
  { store, account }: Pick<Caller, 'store' | 'account'>,
): Promise<Read<RunnableTrigger>> {
  const parsed = Parts.safeParse(loose)
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) }
  const long = overScripts(parsed.data, limits)
  if (long.length > 0) return { ok: false, issues: long }
  const { providers, activation, transform, outputSchema } = parsed.data
  const { condition: conditions, issues: listIssues } = await fillReadableLists(
    store,
    account,
    parsed.data.conditions,
    'conditions',
  )
  const issues = [
    ...(await checkProviders(providers)),
    ...(activation ? checkScript(activation.source, 'activation') : []),
    ...(conditions ? checkConditions(conditions, 'conditions', { providers }) : []),
    ...listIssues,
    ...checkTransform(transform),
    ...(outputSchema ? checkOutputSchema(outputSchema, 'outputSchema') : []),
  ]
  if (issues.length > 0) return { ok: false, issues }
  return { ok: true, value: { providers, activation, conditions, transform, outputSchema, executionPolicy: null } }
}

function checkTransform(transform: RunnableTrigger['transform']): Issue[] {
  return Object.entries(transform ?? {}).flatMap(([part, source]) =>
    part.toLowerCase().endsWith('source') && typeof source === 'string' ? checkScript(source, `transform.${part}`) : [],
  )
}

export async function readSpec(loose: unknown): Promise<Read<TriggerSpec>> {
  const parsed = TriggerSpec.safeParse(loose)
  if (!parsed.success) return { ok: false, issues: under('triggerSpec', issuesOf(parsed.error)) }
  const issues = await checkSpec(parsed.data, 'triggerSpec')
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: parsed.data }
}
