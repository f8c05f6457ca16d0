import type { Body } from '../../../data/api.ts'

export type Fields = Record<string, unknown>
export type Trigger = Body<'getTriggerDraft'>
export type CoreAction = Body<'listCoreActions'>['actions'][number]

/** A trigger as it is built: well-formed outside, unfinished inside, as a draft may be. */
export type Definition = {
  name: string
  fullname: string
  project: string
  workspace: string
  meta: { title: string; description?: string }
  tags: string[]
  labels: Record<string, string>
  backend: { type: 'sdk'; trigger?: string | null; values?: unknown }
  inputs: Fields
  defaults?: Fields
  triggerSpec: Fields | null
  providers: Fields[]
  filtersSchema?: Fields
  outputSchema?: Fields
  transform: Fields | null
  activation: Fields | null
  executionPolicy: Fields | null
}

/** The fields of a definition in the order in which an item passes them. */
export const definitionParts = [
  'name',
  'fullname',
  'project',
  'workspace',
  'meta',
  'tags',
  'labels',
  'backend',
  'triggerSpec',
  'inputs',
  'filtersSchema',
  'providers',
  'activation',
  'transform',
  'outputSchema',
  'defaults',
  'executionPolicy',
] as const satisfies (keyof Definition)[]

export function definitionOf(trigger: Trigger): Definition {
  const { trigger: stream, values, ...backend } = trigger.backend
  return {
    name: trigger.name,
    fullname: trigger.fullname,
    project: trigger.project,
    workspace: trigger.workspace,
    meta: trigger.meta,
    tags: trigger.tags,
    labels: trigger.labels,
    backend: {
      ...backend,
      type: 'sdk',
      ...(typeof stream === 'string' && { trigger: stream }),
      ...(values !== undefined && { values }),
    },
    inputs: trigger.inputs,
    defaults: trigger.defaults,
    triggerSpec: trigger.triggerSpec,
    providers: trigger.providers,
    filtersSchema: trigger.filtersSchema,
    outputSchema: trigger.outputSchema,
    transform: trigger.transform,
    activation: trigger.activation,
    executionPolicy: trigger.executionPolicy,
  }
}

type Naming = { name: string; project: string; workspace: string; title: string; description: string }

/** A new definition: from a ready-made starting point, or from nothing but its name. */
export function startFrom(action: CoreAction | undefined, { name, project, workspace, ...meta }: Naming): Definition {
  return {
    name,
    fullname: `${project}.${name}`,
    project,
    workspace,
    meta: { title: meta.title, ...(meta.description !== '' && { description: meta.description }) },
    tags: [],
    labels: {},
    backend: { type: 'sdk' },
    inputs: action?.inputs ?? {},
    defaults: action?.defaults ?? { title: meta.title },
    triggerSpec: action?.triggerSpec ?? null,
    providers: [],
    filtersSchema: action?.filtersSchema ?? {},
    outputSchema: action?.outputSchema ?? {},
    transform: action?.transform ?? null,
    activation: null,
    executionPolicy: null,
  }
}

/** The same definition with its fields in one order and nothing undefined: for the JSON view and for comparing. */
export function canonical(definition: Definition): Fields {
  return Object.fromEntries(
    definitionParts.filter((field) => definition[field] !== undefined).map((field) => [field, definition[field]]),
  )
}

/** Two versions of a trigger that a save would not tell apart. */
export function isSameDefinition(a: Trigger, b: Trigger): boolean {
  return JSON.stringify(canonical(definitionOf(a))) === JSON.stringify(canonical(definitionOf(b)))
}

/** What decides whether a test still speaks for the definition. */
export function tested(definition: Definition): string {
  const { meta: _, defaults: _d, tags: _t, labels: _l, ...rest } = definition
  return JSON.stringify(rest)
}

/** A field of an unfinished definition as a text input shows it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
