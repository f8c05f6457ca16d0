import { Conditions, Policy, type PolicyFields } from '@tocsin/contract'
import type { Body } from '../../data/api.ts'
import type { ConditionPart } from '../../forms/conditions/condition-groups.ts'
import { isObject } from '../../forms/json.ts'

export type Template = Body<'getTemplate'>
export type Values = Pick<Template, 'meta' | 'schema' | 'groups' | 'topics'> & { rules: Rule[] }
export type Group = Values['groups'][number]
export type Topic = Values['topics'][number]
/** Conditions and policies that are being edited may be unfinished. */
export type Rule = Omit<Template['rules'][number], 'conditions' | 'policy'> & {
  conditions?: ConditionPart | null | undefined
  policy?: PolicyFields | null | undefined
}
type Fields = Record<string, unknown>

/** A new template starts with one group and one topic, which is enough for most. */
export const emptyTemplate: Values = {
  meta: { title: '', description: '' },
  schema: {},
  groups: [{ name: 'main', meta: { title: 'Alerts', description: '' } }],
  topics: [{ name: 'all', group: 'main', selectedByDefault: true, meta: { title: 'All alerts' } }],
  rules: [],
}

/** The body of a save, of values without issues. Only the service sets the `issue` of a rule. */
export function payloadOf(project: string, { meta, schema, groups, topics, rules }: Values) {
  return { project, meta, schema, groups, topics, rules: rules.map(ruleOf) }
}

function ruleOf({ issue: _, conditions, policy, ...rule }: Rule) {
  return {
    ...rule,
    conditions: Conditions.nullish().safeParse(conditions).data,
    policy: Policy.optional().safeParse(policy).data,
  }
}

/** A map of names to schemas, or one JSON Schema of an object with its `properties`. */
export function inputsOf(schema: Fields): Fields {
  return schema.type === 'object' && isObject(schema.properties) ? schema.properties : schema
}

export function withInputs(schema: Fields, inputs: Fields): Fields {
  return schema.type === 'object' && isObject(schema.properties) ? { ...schema, properties: inputs } : inputs
}

export function replaced<Item>(items: Item[], at: number, item: Item): Item[] {
  return items.with(at, item)
}
