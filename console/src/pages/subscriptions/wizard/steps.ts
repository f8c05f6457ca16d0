import { Conditions, type Issue } from '@tocsin/contract'
import { comparisonsIn } from '../../../forms/conditions/condition-groups.ts'
import { valueIssue } from '../../../forms/conditions/condition-values.ts'
import { issuesIn } from '../../../forms/issues-in.ts'
import { type Field, fieldsOf, initialValues, missingIn } from '../../../forms/value-form/read-fields.ts'
import type { Draft } from '../model/draft.ts'
import { checkPolicy } from '../model/policies.ts'
import { checkStart } from '../model/start.ts'
import type { Template, Trigger } from '../model/subscription.ts'

/** The templates and triggers of the chosen project. */
export type ProjectData = { templates: Template[]; triggers: Trigger[]; isLoading: boolean; error: Error | null }

export function templateOf(draft: Draft, projectData: ProjectData): Template | undefined {
  return draft.kind === 'template' ? projectData.templates.find(({ id }) => id === draft.template) : undefined
}

export function triggerOf(draft: Pick<Draft, 'kind' | 'trigger'>, projectData: ProjectData): Trigger | undefined {
  return draft.kind === 'trigger' ? projectData.triggers.find(({ fullname }) => fullname === draft.trigger) : undefined
}

/** Timers and streams have no past blocks. The service checks the triggers of a template. */
export function hasPastBlocks(draft: Draft, projectData: ProjectData): boolean {
  if (draft.kind === 'template') return true
  const type = triggerOf(draft, projectData)?.triggerSpec?.type
  return typeof type === 'string' && type !== 'timer'
}

/** The fields that the chosen topics or the trigger need. */
export function fieldsFor(draft: Draft, projectData: ProjectData): Field[] {
  const trigger = triggerOf(draft, projectData)
  if (trigger) return fieldsOf(trigger.inputs)
  const template = templateOf(draft, projectData)
  if (!template) return []
  const rules = template.rules.filter(({ topic, deprecated }) => draft.topics.includes(topic) && !deprecated)
  const required = rules.flatMap(({ requiredValues }) => requiredValues)
  const written = JSON.stringify(rules)
  const isUsed = (name: string) => required.includes(name) || written.includes(`inputs.${name}`)
  return fieldsOf(template.schema, required).filter(({ name }) => isUsed(name))
}

/** The entered values, and the defaults of the schema for the others. */
export function valuesFor(draft: Draft, projectData: ProjectData): Record<string, unknown> {
  return initialValues(fieldsFor(draft, projectData), draft.values)
}

export type StepName = 'project' | 'alerts' | 'values' | 'filters' | 'policy' | 'message' | 'destination' | 'preview'

/** The steps of the wizard, without steps that have no fields. */
export function stepsFor(draft: Draft, projectData: ProjectData): { name: StepName; title: string }[] {
  return [
    { name: 'project', title: 'Project' },
    { name: 'alerts', title: 'Choose alerts' },
    ...(fieldsFor(draft, projectData).length > 0 ? [{ name: 'values', title: 'Settings' } as const] : []),
    ...(draft.kind === 'trigger' ? [{ name: 'filters', title: 'Filters' } as const] : []),
    { name: 'policy', title: 'How often' },
    { name: 'message', title: 'Message' },
    { name: 'destination', title: 'Destination' },
    { name: 'preview', title: 'Review' },
  ]
}

export function checkStep(step: StepName, draft: Draft, projectData: ProjectData): Issue[] {
  switch (step) {
    case 'project':
      return draft.project === '' ? [{ path: 'project', message: 'Choose a project' }] : []
    case 'alerts':
      if (draft.kind === 'trigger')
        return triggerOf(draft, projectData) ? [] : [{ path: 'trigger', message: 'Choose a trigger' }]
      return draft.topics.length > 0 ? [] : [{ path: 'topics', message: 'Choose at least one topic' }]
    case 'values':
      return missingIn(fieldsFor(draft, projectData), valuesFor(draft, projectData))
    case 'filters':
      return checkFilters(draft, projectData)
    case 'policy':
      return [
        ...checkPolicy(draft.policy),
        ...checkKey(draft),
        ...(hasPastBlocks(draft, projectData) ? checkStart(draft.start) : []),
      ]
    default:
      return []
  }
}

/** Checks the form of the conditions and the numbers in them. The service checks the rest. */
function checkFilters({ conditions, invalidConditions, ...draft }: Draft, projectData: ProjectData): Issue[] {
  if (invalidConditions) return [{ path: 'conditions', message: invalidConditions.problem }]
  if (conditions === null) return []
  const fields = fieldsOf(triggerOf(draft, projectData)?.filtersSchema ?? {})
  const numbers = comparisonsIn(conditions, 'conditions').flatMap(({ condition: { param, op, value } }) => {
    const message = valueIssue(op, value, fields.find(({ name }) => name === param)?.kind)
    return message === undefined ? [] : [{ path: 'conditions', message: `${param}: ${message}` }]
  })
  const [wrong] = issuesIn(Conditions, conditions)
  return wrong ? [{ path: 'conditions', message: describeIssue(wrong) }] : numbers
}

function describeIssue({ path, message }: Issue): string {
  return path.endsWith('param') ? 'Enter the field of every filter, or remove the filter' : `${path} ${message}`.trim()
}

function checkKey({ mode, keyPath }: Draft): Issue[] {
  return mode === 'once_per_key' && keyPath.trim() === ''
    ? [{ path: 'keyPath', message: 'Enter a field of the output' }]
    : []
}

const stepsByPath: [RegExp, StepName][] = [
  [/^(project|workspace)/, 'project'],
  [/^(template|topics|trigger)/, 'alerts'],
  [/^(values|inputs)/, 'values'],
  [/^conditions/, 'filters'],
  [/^(policy|delivery|from)/, 'policy'],
  [/^overrides/, 'message'],
]

/** The step that edits the field of an issue. */
export function stepOfIssue(path: string): StepName {
  return stepsByPath.find(([pattern]) => pattern.test(path))?.[1] ?? 'destination'
}
