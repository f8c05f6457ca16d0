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
} from '@tocsin/contract'
import * as z from 'zod'
import { checkConditions, checkOutputSchema, checkProviders, checkScript } from './index.ts'

/** The parts of a definition that are tried out. They are loose, because a try-out exists to find their issues. */
export type ReadableParts = {
  providers: unknown[]
  activation?: unknown
  conditions?: unknown
  transform: unknown
  outputSchema?: unknown
}
export type ReadParts = { ok: true; value: z.output<typeof Parts> } | { ok: false; issues: Issue[] }

const Parts = z.object({
  providers: z.array(Provider),
  activation: Activation.nullish().transform((activation) => activation ?? null),
  conditions: TriggerConditions.nullish(),
  transform: Transform.nullable(),
  outputSchema: OutputSchema.nullish().transform((schema) => schema ?? undefined),
})

export async function readParts(parts: ReadableParts, limits: PayloadLimits): Promise<ReadParts> {
  const parsed = Parts.safeParse(parts)
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) }
  const long = overScripts(parsed.data, limits)
  if (long.length > 0) return { ok: false, issues: long }
  const { providers, activation, conditions, transform, outputSchema } = parsed.data
  const issues = [
    ...(await checkProviders(providers)),
    ...(activation ? checkScript(activation.source, 'activation') : []),
    ...(conditions ? checkConditions(conditions, 'conditions', { providers }) : []),
    ...checkTransform(transform),
    ...(outputSchema ? checkOutputSchema(outputSchema, 'outputSchema') : []),
  ]
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: parsed.data }
}

function checkTransform(transform: z.output<typeof Parts>['transform']): Issue[] {
  return Object.entries(transform ?? {}).flatMap(([part, source]) =>
    part.toLowerCase().endsWith('source') && typeof source === 'string' ? checkScript(source, `transform.${part}`) : [],
  )
}
