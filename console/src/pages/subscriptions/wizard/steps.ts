import type { Issue } from '@tocsin/contract'
import { type Field, fieldsOf, initialValues, missingIn } from '../../../forms/value-form/read-fields.ts'
import { rowsOf, valueIssue } from '../model/conditions.ts'
import type { Draft } from '../model/draft.ts'
import { checkPolicy } from '../model/policies.ts'
import type { Template, Trigger } from '../model/subscription.ts'

/** What the choice refers to, as far as it was read. */
export type Facts = { templates: Template[]; triggers: Trigger[]; isLoading: boolean; error: Error | null }

export function templateOf(draft: Draft, facts: Facts): Template | undefined {
  return draft.way === 'template' ? facts.templates.find(({ id }) => id === draft.template) : undefined
}

export function triggerOf(draft: Draft, facts: Facts): Trigger | undefined {
  return draft.way === 'trigger' ? facts.triggers.find(({ fullname }) => fullname === draft.trigger) : undefined
}

/** What the chosen topics, or the trigger, have to be told. */
export function fieldsFor(draft: Draft, facts: Facts): Field[] {
  const trigger = triggerOf(draft, facts)
  if (trigger) return fieldsOf(trigger.inputs)
  const template = templateOf(draft, facts)
  if (!template) return []
  const rules = template.rules.filter(({ topic, deprecated }) => draft.topics.includes(topic) && !deprecated)
  const required = rules.flatMap(({ requiredValues }) => requiredValues)
  const written = JSON.stringify(rules)
  const isUsed = (name: string) => required.includes(name) || written.includes(`inputs.${name}`)
  return fieldsOf(template.schema, required).filter(({ name }) => isUsed(name))
}

/** What was filled in, and the schema's defaults for what was left alone. */
export function valuesFor(draft: Draft, facts: Facts): Record<string, unknown> {
  return initialValues(fieldsFor(draft, facts), draft.values)
}

export type StepName = 'project' | 'what' | 'values' | 'filters' | 'rhythm' | 'words' | 'destination' | 'preview'

/** Steps that have nothing to ask are left out. */
export function stepsFor(draft: Draft, facts: Facts): { name: StepName; title: string }[] {
  return [
    { name: 'project', title: 'Project' },
    { name: 'what', title: 'Choose alerts' },
    ...(fieldsFor(draft, facts).length > 0 ? [{ name: 'values', title: 'Settings' } as const] : []),
    ...(draft.way === 'trigger' ? [{ name: 'filters', title: 'Filters' } as const] : []),
    { name: 'rhythm', title: 'How often' },
    { name: 'words', title: 'Message' },
    { name: 'destination', title: 'Destination' },
    { name: 'preview', title: 'Review' },
  ]
}

export function checkStep(step: StepName, draft: Draft, facts: Facts): Issue[] {
  switch (step) {
    case 'project':
      return draft.project === '' ? [{ path: 'project', message: 'Choose a project' }] : []
    case 'what':
      if (draft.way === 'trigger')
        return triggerOf(draft, facts) ? [] : [{ path: 'trigger', message: 'Choose a trigger' }]
      return draft.topics.length > 0 ? [] : [{ path: 'topics', message: 'Choose at least one topic' }]
    case 'values':
      return missingIn(fieldsFor(draft, facts), valuesFor(draft, facts))
    case 'filters':
      return checkFilters(draft, facts)
    case 'rhythm':
      return [...checkPolicy(draft.policy), ...checkKey(draft)]
    default:
      return []
  }
}

/** Conditions that lines cannot say are checked by the service alone. */
function checkFilters(draft: Draft, facts: Facts): Issue[] {
  if (draft.unreadConditions) return [{ path: 'conditions', message: draft.unreadConditions.problem }]
  const fields = fieldsOf(triggerOf(draft, facts)?.filtersSchema ?? {})
  return (rowsOf(draft.conditions)?.rows ?? []).flatMap((row) => {
    const message = valueIssue(row, fields.find(({ name }) => name === row.param)?.kind)
    return message === undefined ? [] : [{ path: 'conditions', message: `${row.param}: ${message}` }]
  })
}

function checkKey({ mode, keyPath }: Draft): Issue[] {
  return mode === 'once_per_key' && keyPath.trim() === ''
    ? [{ path: 'keyPath', message: 'Enter the field of the output that identifies a value' }]
    : []
}

const places: [RegExp, StepName][] = [
  [/^(project|workspace)/, 'project'],
  [/^(template|topics|trigger)/, 'what'],
  [/^(values|inputs)/, 'values'],
  [/^conditions/, 'filters'],
  [/^(policy|delivery)/, 'rhythm'],
  [/^overrides/, 'words'],
]

/** The step in which what the service did not like can be set right. */
export function stepOfIssue(path: string): StepName {
  return places.find(([pattern]) => pattern.test(path))?.[1] ?? 'destination'
}
