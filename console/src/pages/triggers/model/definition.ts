import type { Body } from '../../../data/api.ts'
import { backendOf } from '../../../layouts/new-trigger.ts'

export type Fields = Record<string, unknown>
export type Trigger = Body<'getTriggerDraft'>
export type CoreAction = Body<'listCoreActions'>['actions'][number]

/** A trigger in the builder. Its parts may be incomplete, as in a draft. */
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
  sourceBindings?: Fields[]
  providers: Fields[]
  filtersSchema?: Fields
  outputSchema?: Fields
  transform: Fields | null
  activation: Fields | null
  conditions?: Fields | null
  executionPolicy: Fields | null
}

/** The fields of a definition, in the order in which the service evaluates them. */
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
  'sourceBindings',
  'inputs',
  'filtersSchema',
  'providers',
  'conditions',
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
    sourceBindings: trigger.sourceBindings,
    providers: trigger.providers,
    filtersSchema: trigger.filtersSchema,
    outputSchema: trigger.outputSchema,
    transform: trigger.transform,
    activation: trigger.activation,
    conditions: trigger.conditions,
    executionPolicy: trigger.executionPolicy,
  }
}

type Naming = { name: string; project: string; workspace: string; title: string; description: string }

/** A new definition from a starting point, or an empty one. */
export function startFrom(action: CoreAction | undefined, { name, project, workspace, ...meta }: Naming): Definition {
  return {
    name,
    fullname: `${project}.${name}`,
    project,
    workspace,
    meta: { title: meta.title, ...(meta.description !== '' && { description: meta.description }) },
    tags: [],
    labels: {},
    backend: backendOf(action, workspace),
    inputs: action?.inputs ?? {},
    defaults: action?.defaults ?? { title: meta.title },
    triggerSpec: action?.triggerSpec ?? null,
    providers: action?.providers ?? [],
    filtersSchema: action?.filtersSchema ?? {},
    outputSchema: action?.outputSchema ?? {},
    transform: action?.transform ?? null,
    activation: null,
    executionPolicy: null,
  }
}

/** The definition with its fields in a fixed order and without undefined, for the JSON view and for comparison. */
export function canonical(definition: Definition): Fields {
  return Object.fromEntries(
    definitionParts.filter((field) => definition[field] !== undefined).map((field) => [field, definition[field]]),
  )
}

/** True if both have the same content. Parts that were not touched are the same objects, so they cost nothing. */
export function hasSameContent(a: Definition, b: Definition): boolean {
  return definitionParts.every((part) => a[part] === b[part] || JSON.stringify(a[part]) === JSON.stringify(b[part]))
}

/** The part of a definition that a test depends on. A change of it makes the test result outdated. */
export function tested(definition: Definition): string {
  const { meta: _, defaults: _d, tags: _t, labels: _l, ...rest } = definition
  return JSON.stringify(rest)
}

/** A field of a definition as text for an input. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
