import type { Issue, TemplateSave } from '@tocsin/contract'
import type { z } from 'zod'
import { inputsIn } from './placeholders.ts'

export type Template = z.output<typeof TemplateSave>
type Rule = Template['rules'][number]
type Fields = Record<string, unknown>

const issuesMax = 100

/** Checks the references between the parts of a template. The schema has checked each part before. */
export function checkTemplate(template: Template): Issue[] {
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
