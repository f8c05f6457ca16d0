import type { Issue, TemplateSave } from '@tocsin/contract'
import type { z } from 'zod'
import { checkAddresses } from '../../engine/check/index.ts'
import { checkNumbers } from '../../engine/conditions/check-numbers.ts'
import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { lockProject } from '../access.ts'
import { done, requireMatch, Tagged, tagOf } from '../answers.ts'
import { type Actor, changedPaths, recordChange } from '../audit.ts'
import { checkLists } from '../condition-lists.ts'
import type { Handler } from '../handler.ts'
import { requireSameName } from '../names.ts'
import { requireStoredRoom } from '../quotas.ts'
import { invalidPayload, notFound } from '../refusal.ts'
import { templateView } from './read.ts'

/** Locks the project, so that of two first templates one is the root, and both responses say which. */
export const createTemplate: Handler<'createTemplate'> = async (context) => {
  const { account, params, body, store, now, settings } = context
  requireTemplate(params.fullname, body)
  return store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'developer')
    await requireConditions(store, project, body)
    const id = await store.templates.add(project.id, body, now)
    await requireStoredRoom(store, settings, project.workspace_id)
    await recordSave(store, context, project, { id, paths: changedPaths(undefined, body) })
    return savedView(store, project, id)
  })
}

export const saveTemplate: Handler<'saveTemplate'> = async (context) => {
  const { account, params, body, preconditions, store, now, settings } = context
  requireTemplate(params.fullname, body)
  return store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'developer')
    const current = await store.templates.lock(project.id, params.id)
    if (!current) throw notFound('There is no such template.')
    requireMatch(preconditions, current)
    await requireConditions(store, project, body)
    await store.templates.update(current.id, body, now)
    await requireStoredRoom(store, settings, project.workspace_id)
    const { schema, groups, topics, rules, meta } = current
    const paths = changedPaths({ project: body.project, schema, groups, topics, rules, meta }, body)
    await recordSave(store, context, project, { id: current.id, paths })
    return savedView(store, project, current.id)
  })
}

function recordSave(store: Store, actor: Actor, project: ReadableProject, saved: { id: string; paths: string[] }) {
  const { id: fullname, paths } = saved
  return recordChange(store, actor, { action: 'template.save', workspaceId: project.workspace_id, fullname, paths })
}

function requireTemplate(fullname: string, template: Template): void {
  requireSameName(fullname, template.project)
  const issues = checkTemplate(template)
  if (issues.length > 0) throw invalidPayload(issues)
}

/**
 * Checks the conditions of rules whose trigger exists. A trigger that is created later does not change a saved
 * template.
 */
async function requireConditions(store: Store, project: ReadableProject, { rules }: Template): Promise<void> {
  const named = [...new Set(rules.flatMap(({ trigger, conditions }) => (conditions ? [trigger] : [])))]
  const known = await store.templates.knownTriggers(project.workspace_id, named)
  const described = await store.describedTriggers.find(named.filter((trigger) => known.has(trigger)))
  const issues = rules.flatMap(({ trigger, conditions }, index): Issue[] => {
    const { filters, outputs } = described.get(trigger) ?? {}
    const schemas = { filtersSchema: filters ?? {}, outputSchema: outputs ?? {} }
    const path = `rules.${index}.conditions`
    return conditions ? [...checkNumbers(conditions, schemas, path), ...checkAddresses(conditions, schemas, path)] : []
  })
  for (const [index, { conditions }] of rules.entries())
    issues.push(...(await checkLists(store, project.workspace, conditions, `rules.${index}.conditions`)))
  if (issues.length > 0) throw invalidPayload(issues)
}

async function savedView(store: Store, project: ReadableProject, id: string) {
  const row = await store.templates.find(project.id, id)
  if (!row) throw notFound()
  return new Tagged(await templateView(store, project, row), tagOf(row))
}

type Template = z.output<typeof TemplateSave>
type Rule = Template['rules'][number]
type Fields = Record<string, unknown>

const issuesMax = 100

/** Checks the references between the parts of a template. The schema has checked each part before. */
function checkTemplate(template: Template): Issue[] {
  const groupNames = template.groups.map((group) => shortName(group.name, template.project))
  const topicNames = template.topics.map((topic) => topic.name)
  return [
    ...repeated(groupNames, 'groups', 'name'),
    ...repeated(topicNames, 'topics', 'name'),
    ...repeated(
      template.rules.map((rule) => rule.id),
      'rules',
      'id',
    ),
    ...checkSchema(template.schema),
    ...checkTopics(template, new Set(groupNames)),
    ...checkRules(template, new Set(topicNames)),
  ].slice(0, issuesMax)
}

/** A group's name may have its project in front. */
function shortName(name: string, project: string): string {
  return name.startsWith(`${project}.`) ? name.slice(project.length + 1) : name
}

function repeated(names: string[], list: string, field: string): Issue[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: `${list}.${index}.${field}`, message: `"${name}" is used twice` }] : [],
  )
}

/** In a schema of an object, keywords such as `required` are lists and flags. In a map every value is a schema. */
function checkSchema(schema: Template['schema']): Issue[] {
  if (propertiesOf(schema)) return []
  return Object.entries(schema).flatMap(([name, field]) =>
    typeof field === 'string' || isFields(field)
      ? []
      : [{ path: `schema.${name}`, message: 'must be the name of a type or a schema object' }],
  )
}

function checkTopics({ topics, project }: Template, groups: Set<string>): Issue[] {
  return topics.flatMap((topic, index) =>
    groups.has(shortName(topic.group, project))
      ? []
      : [{ path: `topics.${index}.group`, message: `there is no group "${topic.group}"` }],
  )
}

function checkRules({ rules, schema }: Template, topics: Set<string>): Issue[] {
  const inputs = inputNames(schema)
  return rules.flatMap((rule, index) => {
    const path = `rules.${index}`
    const isTopic = topics.has(rule.topic)
    return [
      ...(isTopic ? [] : [{ path: `${path}.topic`, message: `there is no topic "${rule.topic}"` }]),
      ...checkRequired(rule, path, inputs),
      ...checkPlaceholders(rule, path, inputs),
    ]
  })
}

function checkRequired(rule: Rule, path: string, inputs: Set<string>): Issue[] {
  return rule.requiredValues.flatMap((name, index) =>
    inputs.has(name) ? [] : [{ path: `${path}.requiredValues.${index}`, message: missingInput(name) }],
  )
}

function checkPlaceholders(rule: Rule, path: string, inputs: Set<string>): Issue[] {
  const { inputs: mapping, conditions, policy } = rule
  return inputsIn({ inputs: mapping, conditions, policy }).flatMap((used) =>
    inputs.has(used.name) || inputs.has(used.root)
      ? []
      : [{ path: `${path}.${used.path}`, message: missingInput(used.name) }],
  )
}

/** The names of the inputs: the keys of a map, or the `properties` of one JSON Schema of an object. */
function inputNames(schema: Template['schema']): Set<string> {
  return new Set([...Object.keys(schema), ...Object.keys(propertiesOf(schema) ?? {})])
}

function propertiesOf({ type, properties }: Template['schema']): Fields | undefined {
  return type === 'object' && isFields(properties) ? properties : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function missingInput(name: string): string {
  return `the schema has no input "${name}"`
}

export const deleteTemplate: Handler<'deleteTemplate'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    const current = await store.templates.lock(project.id, params.id)
    if (!current) throw notFound('There is no such template.')
    requireMatch(preconditions, current)
    await store.templates.remove(current.id)
    const change = { action: 'template.delete', workspaceId: project.workspace_id, fullname: current.id } as const
    await recordChange(store, { account, ip, now }, change)
    return done
  })

/** One `{{inputs.x}}` in a value: its full name, the input it starts with, and its path. */
export type UsedInput = { name: string; root: string; path: string }

/** Uses its own stack, so that deep nesting cannot overflow the call stack. */
export function inputsIn(value: unknown): UsedInput[] {
  const found: UsedInput[] = []
  const open: { value: unknown; path: string }[] = [{ value, path: '' }]
  for (let node = open.pop(); node; node = open.pop()) {
    if (typeof node.value === 'string') for (const used of inputsInText(node.value, node.path)) found.push(used)
    if (typeof node.value !== 'object' || node.value === null) continue
    for (const [key, child] of Object.entries(node.value))
      open.push({ value: child, path: node.path === '' ? key : `${node.path}.${key}` })
  }
  return found
}

function* inputsInText(text: string, path: string): Iterable<UsedInput> {
  for (const [, inner = ''] of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const reference = withoutMark(inner.trim())
    if (!reference.startsWith(prefix)) continue
    const name = reference.slice(prefix.length)
    yield { name, root: name.split(/[.[]/)[0] ?? name, path }
  }
}

const prefix = 'inputs.'

/** `{{inputs.x?}}` may have no value, but the schema must know its name. */
function withoutMark(reference: string): string {
  return reference.endsWith('?') ? reference.slice(0, -1).trimEnd() : reference
}
