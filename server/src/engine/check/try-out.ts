/** Reads the parts of a definition that are tried out. They are loose, because a try-out exists to find their issues. */
import {
  Activation,
  Defaults,
  type Issue,
  issuesOf,
  OutputSchema,
  overProviderScript,
  overScripts,
  type PayloadLimits,
  Provider,
  type SourceBinding,
  SourceBindings,
  Transform,
  TriggerConditions,
  TriggerSpec,
} from '@tocsin/contract'
import * as z from 'zod'
import {
  checkBindings,
  checkConditions,
  checkDefaults,
  checkOutputSchema,
  checkProvider,
  checkProviders,
  checkScript,
  checkSpec,
} from './index.ts'

export type Read<T> = { ok: true; value: T } | { ok: false; issues: Issue[] }

/** What decides about an item and makes its output. */
export type SentParts = {
  providers: unknown[]
  activation?: unknown
  conditions?: unknown
  transform: unknown
  outputSchema?: unknown
}
export type SentBindings = { triggerSpec?: unknown; sourceBindings: unknown }
export type SentMessage = { triggerSpec?: unknown; defaults: unknown }

const Parts = z.object({
  providers: z.array(Provider),
  activation: Activation.nullish().transform((activation) => activation ?? null),
  conditions: TriggerConditions.nullish(),
  transform: Transform.nullable(),
  outputSchema: OutputSchema.nullish().transform((schema) => schema ?? undefined),
})

export async function readParts(parts: SentParts, limits: PayloadLimits): Promise<Read<z.output<typeof Parts>>> {
  const parsed = Parts.safeParse(parts)
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) }
  const long = overScripts(parsed.data, limits)
  if (long.length > 0) return { ok: false, issues: long }
  const { providers, activation, conditions, transform, outputSchema } = parsed.data
  return readWithout(parsed.data, [
    ...(await checkProviders(providers)),
    ...(activation ? checkScript(activation.source, 'activation') : []),
    ...(conditions ? checkConditions(conditions, 'conditions', { providers }) : []),
    ...checkTransform(transform),
    ...(outputSchema ? checkOutputSchema(outputSchema, 'outputSchema') : []),
  ])
}

function checkTransform(transform: z.output<typeof Parts>['transform']): Issue[] {
  return Object.entries(transform ?? {}).flatMap(([part, source]) =>
    part.toLowerCase().endsWith('source') && typeof source === 'string' ? checkScript(source, `transform.${part}`) : [],
  )
}

export async function readSpec(spec: unknown): Promise<Read<TriggerSpec>> {
  const parsed = TriggerSpec.safeParse(spec)
  if (!parsed.success) return { ok: false, issues: under('triggerSpec', issuesOf(parsed.error)) }
  return readWithout(parsed.data, await checkSpec(parsed.data, 'triggerSpec'))
}

type Bindings = { bindings: SourceBinding[]; spec: TriggerSpec | undefined }

/** The issues of the spec itself are those of `readSpec`. */
export async function readBindings({ triggerSpec, sourceBindings }: SentBindings): Promise<Read<Bindings>> {
  const read = SourceBindings.safeParse(sourceBindings)
  if (!read.success) return { ok: false, issues: under('sourceBindings', issuesOf(read.error)) }
  const spec = TriggerSpec.safeParse(triggerSpec).data
  const issues = spec ? await checkBindings(spec, read.data, 'sourceBindings') : []
  return readWithout({ bindings: read.data, spec }, issues)
}

export async function readProvider(provider: unknown, limits: PayloadLimits): Promise<Read<Provider>> {
  const parsed = Provider.safeParse(provider)
  if (!parsed.success) return { ok: false, issues: under('provider', issuesOf(parsed.error)) }
  const long = overProviderScript('provider', parsed.data, limits)
  return readWithout(parsed.data, long.length > 0 ? long : await checkProvider(parsed.data, 'provider'))
}

type Message = { defaults: Defaults; spec: TriggerSpec | null; issues: Issue[] }

/** Templates with issues are rendered as far as possible. A message needs the spec only for the links to its source. */
export function readMessage({ triggerSpec, defaults }: SentMessage): Read<Message> {
  const parsed = Defaults.safeParse(defaults)
  if (!parsed.success) return { ok: false, issues: under('defaults', issuesOf(parsed.error)) }
  const spec = TriggerSpec.safeParse(triggerSpec).data ?? null
  return { ok: true, value: { defaults: parsed.data, spec, issues: checkDefaults(parsed.data, 'defaults') } }
}

function readWithout<T>(value: T, issues: Issue[]): Read<T> {
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value }
}

function under(path: string, issues: Issue[]): Issue[] {
  return issues.map((issue) => ({ path: issue.path === '' ? path : `${path}.${issue.path}`, message: issue.message }))
}
