import {
  type Condition,
  type Issue,
  issuesOf,
  Policy,
  type SubscriptionSave,
  TriggerSpec,
  weighs,
} from '@tocsin/contract'
import { isObject } from '../../engine/base/json.ts'
import { parsePath } from '../../engine/base/paths.ts'
import { readSchema } from '../../engine/base/read-schema.ts'
import {
  checkAddresses,
  checkAgainstSchemas,
  checkFinality,
  checkItemValues,
  checkPlaceholders,
  checkPolicyUnit,
  knownShapes,
  specWeightMax,
} from '../../engine/check/index.ts'
import { checkNumbers } from '../../engine/conditions/check-numbers.ts'
import { fillPlaceholders } from '../../engine/fan-out/index.ts'
import { boundInputs } from '../../engine/sources/bindings.ts'
import { namesIn } from '../../engine/sources/value-shape.ts'
import type { SubscriptionFields } from '../../store/alerts/subscriptions.ts'
import type { TriggerDefinition } from '../../store/core/tables.ts'
import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import type { TemplateRow } from '../../store/projects/templates.ts'
import { findReadableTrigger } from '../access.ts'
import { checkLists } from '../condition-lists.ts'
import type { Account } from '../handler.ts'
import { notFound } from '../refusal.ts'

/** Reads what a subscription subscribes to, and lists what is wrong with it. */
export type Choice = { fields: ChosenFields; issues: Issue[] }
export type ChosenFields = Pick<
  SubscriptionFields,
  'templateId' | 'topics' | 'values' | 'triggerId' | 'inputs' | 'conditions'
>
type Fields = Record<string, unknown>

export function readChoice(
  store: Store,
  account: Account,
  project: ReadableProject,
  save: SubscriptionSave,
): Promise<Choice> {
  return save.template === undefined
    ? chooseTrigger(store, account, project, save)
    : chooseTopics(store, project, save.template, save)
}

async function chooseTrigger(store: Store, account: Account, project: ReadableProject, save: SubscriptionSave) {
  const { trigger: fullname = '', conditions = null } = save
  const trigger = await findReadableTrigger(store, account, fullname)
  if (trigger?.project !== project.fullname)
    throw notFound(`The project "${project.fullname}" has no trigger "${fullname}" that you may see.`)
  const { inputs: declared, sourceBindings } = trigger.definition
  const bound = new Set(boundInputs(sourceBindings))
  const inputs = withDefaults(save.inputs ?? {}, declared)
  const fields = { templateId: null, topics: null, values: null, triggerId: trigger.id, inputs, conditions }
  const required = Object.keys(declared).filter((name) => !readSchema(declared[name]).optional && !bound.has(name))
  const known = { inputs: new Set([...Object.keys(declared), ...Object.keys(inputs), ...bound]) }
  // Without this check a condition on an unknown input would never be true, and nobody would learn why.
  const unknown = checkPlaceholders(conditions, 'conditions', known)
  const notNumbers = conditions
    ? [
        ...checkNumbers(conditions, trigger.definition, 'conditions'),
        ...checkAddresses(conditions, trigger.definition, 'conditions'),
      ]
    : []
  const ofValues = conditions ? await checkParameters(conditions, trigger.definition) : []
  const ofFinality = checkFinality(save.delivery, trigger.definition.triggerSpec ?? null, 'delivery')
  const ofInputs = checkGiven(inputs, declared, required, 'inputs')
  const ofPolicy = [
    ...checkBounds(save.policy, inputs, 'policy'),
    ...(save.policy ? await checkPolicyUnit(fillPlaceholders(save.policy, inputs), trigger.definition, 'policy') : []),
  ]
  const ofLists = await checkLists(store, save.workspace, conditions, 'conditions')
  return {
    fields,
    issues: [...ofInputs, ...unknown, ...notNumbers, ...ofValues, ...ofFinality, ...ofPolicy, ...ofLists],
  }
}

/**
 * Without a transform the subscriber's conditions are on the item. A part that its field cannot have is refused; an unknown
 * field may be one that only the author knows, and is told as an issue.
 */
async function checkParameters(
  conditions: Condition,
  { triggerSpec, sourceBindings, transform, filtersSchema = {} }: TriggerDefinition,
): Promise<Issue[]> {
  if (!triggerSpec || transform || weighs(triggerSpec, specWeightMax) > specWeightMax) return []
  const spec = TriggerSpec.safeParse(triggerSpec)
  if (!spec.success) return []
  const { item } = await knownShapes({ triggerSpec: spec.data, sourceBindings, providers: [] })
  const filters = new Set(Object.keys(filtersSchema).map((name) => parsePath(name)[0]))
  return checkItemValues(conditions, 'conditions', (param) => {
    const [field = '', ...inside] = parsePath(param)
    const isKnown = item?.shapes.some((shape) => namesIn(shape).includes(field))
    if (!item || !isKnown || inside.length === 0 || filters.has(field)) return undefined
    return { known: item, path: [field, ...inside] }
  })
}

async function chooseTopics(store: Store, project: ReadableProject, id: string, save: SubscriptionSave) {
  const template = await store.templates.find(project.id, id)
  if (!template) throw notFound(`The project "${project.fullname}" has no template "${id}".`)
  const { topics = [] } = save
  const values = withDefaults(save.values ?? {}, inputsOf(template.schema))
  const known = await store.templates.knownTriggers(
    project.workspace_id,
    template.rules.map(({ trigger }) => trigger),
  )
  const fields = { templateId: template.id, topics, values, triggerId: null, inputs: null, conditions: null }
  const issues = [
    ...checkTopics(template, topics, known),
    ...checkValues(template, topics, values),
    ...checkBounds(save.policy, values, 'policy'),
    ...rulesOf(template, topics).flatMap(({ policy }) => checkBounds(policy, values, 'values')),
  ]
  return { fields, issues }
}

/** The bounds of a policy may be inputs: together with their values it must be a valid policy. */
function checkBounds(policy: Policy | undefined, values: Fields, path: string): Issue[] {
  if (!policy || !JSON.stringify(policy).includes('{{')) return []
  const filled = fillPlaceholders(policy, values)
  const empty = Object.entries(filled).flatMap(([name, bound]) =>
    /\{\{\s*inputs\b/.test(JSON.stringify(bound) ?? '')
      ? [{ path: name, message: 'names an input that has no value' }]
      : [],
  )
  const issues = empty.length > 0 ? empty : policyIssues(filled)
  return issues.map((issue) =>
    path === 'policy'
      ? { path: `policy.${issue.path}`, message: issue.message }
      : { path, message: `policy.${issue.path} ${issue.message}` },
  )
}

function policyIssues(policy: unknown): Issue[] {
  const parsed = Policy.safeParse(policy)
  return parsed.success ? [] : issuesOf(parsed.error)
}

function checkTopics(template: TemplateRow, topics: string[], known: Set<string>): Issue[] {
  if (topics.length === 0) return [{ path: 'topics', message: 'choose at least one topic' }]
  return topics.flatMap((name, index) => {
    const path = `topics.${index}`
    if (topics.indexOf(name) < index) return [{ path, message: `"${name}" is chosen twice` }]
    if (!template.topics.some((topic) => topic.name === name))
      return [{ path, message: `the template has no topic "${name}"` }]
    const rules = rulesOf(template, [name])
    const isBound = rules.some(({ trigger }) => known.has(trigger))
    return isBound ? [] : [{ path, message: `"${name}" cannot be subscribed to: its rules have no trigger yet` }]
  })
}

function rulesOf(template: TemplateRow, topics: string[]) {
  return template.rules.filter(({ topic, deprecated }) => topics.includes(topic) && !deprecated)
}

function checkValues(template: TemplateRow, topics: string[], values: Fields): Issue[] {
  const schema = inputsOf(template.schema)
  const required = new Set(rulesOf(template, topics).flatMap(({ requiredValues }) => requiredValues))
  return checkGiven(values, schema, [...required], 'values')
}

/** A map from names to schemas, or one JSON Schema of an object. */
function inputsOf(schema: Fields): Fields {
  const { type, properties } = schema
  return type === 'object' && typeof properties === 'object' && properties !== null ? { ...properties } : schema
}

function checkGiven(given: Fields, schemas: Fields, required: string[], path: string): Issue[] {
  const missing = new Set(required.filter((name) => [undefined, null, ''].some((empty) => given[name] === empty)))
  const isChecked = ([name]: [string, unknown]) => Object.hasOwn(given, name) && !missing.has(name)
  const map = Object.fromEntries(Object.entries(schemas).filter(isChecked))
  return [
    ...[...missing].map((name) => ({ path: `${path}.${name}`, message: 'is required' })),
    ...checkAgainstSchemas([{ value: given, map, path }]),
  ]
}

/** A missing value gets its schema's default at the save, so a later edit of the schema changes no subscription. */
function withDefaults(given: Fields, schemas: Fields): Fields {
  const defaults = Object.entries(schemas).flatMap(([name, schema]) =>
    given[name] === undefined && isObject(schema) && 'default' in schema ? [[name, schema.default]] : [],
  )
  return { ...Object.fromEntries(defaults), ...given }
}
