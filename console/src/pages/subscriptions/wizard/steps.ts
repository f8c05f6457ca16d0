import { Conditions, type Issue } from '@tocsin/contract'
import { comparisonsIn } from '../../../forms/conditions/condition-groups.ts'
import { valueIssue } from '../../../forms/conditions/condition-values.ts'
import { issuesIn } from '../../../forms/issues-in.ts'
import { type Field, fieldsOf, initialValues, missingIn } from '../../../forms/value-form/read-fields.ts'
import { checkPolicy } from '../../../layouts/policy/policy-draft.ts'
import type { Draft } from '../model/draft.ts'
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

export type StepName = 'what' | 'where' | 'review'

export const steps: readonly { name: StepName; title: string; about: string }[] = [
  { name: 'what', title: 'What', about: 'Choose alerts' },
  { name: 'where', title: 'Where', about: 'Choose destinations' },
  { name: 'review', title: 'Review', about: 'Check and activate' },
]

export function checkStep(step: StepName, draft: Draft, projectData: ProjectData): Issue[] {
  if (step === 'what') {
    const chosen = checkChoice(draft, projectData)
    if (chosen.length > 0) return chosen
    const missing = missingIn(fieldsFor(draft, projectData), valuesFor(draft, projectData))
    return [...missing, ...(draft.kind === 'trigger' ? checkFilters(draft, projectData) : [])]
  }
  return step === 'where' ? checkOptions(draft, projectData) : []
}

function checkChoice(draft: Draft, projectData: ProjectData): Issue[] {
  if (draft.project === '') return [{ path: 'project', message: 'Choose a project' }]
  if (draft.kind === 'trigger')
    return triggerOf(draft, projectData) ? [] : [{ path: 'trigger', message: 'Choose a trigger' }]
  return draft.topics.length > 0 ? [] : [{ path: 'topics', message: 'Choose at least one topic' }]
}

function checkOptions(draft: Draft, projectData: ProjectData): Issue[] {
  const start = hasPastBlocks(draft, projectData) ? checkStart(draft.start) : []
  return [...checkPolicy(draft.policy), ...checkKey(draft), ...start]
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

const pathsOfWhat = /^(project|workspace|template|topics|trigger|values|inputs|conditions)/

/** The step that edits the field of an issue. */
export function stepOfIssue(path: string): StepName {
  return pathsOfWhat.test(path) ? 'what' : 'where'
}

/** True if the field of an issue is among the options, which are folded. */
export function isOfOptions({ path }: Issue): boolean {
  return !pathsOfWhat.test(path) && !path.startsWith('resources')
}

/** New values of some fields. A change after a request is a function, because the draft may be another one by then. */
export type DraftChange = Partial<Draft> | ((draft: Draft) => Partial<Draft>)

export type StepProps = {
  workspace: string
  draft: Draft
  change: (part: DraftChange) => void
  projectData: ProjectData
  errorOf: (path: string) => string | undefined
  /** A new subscription to blocks can begin with past blocks. */
  canStartEarlier: boolean
  /** The id of the subscription, once it is saved with this project and trigger. */
  savedId: string | undefined
}
