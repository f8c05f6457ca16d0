import { type Condition, Conditions } from '@tocsin/contract'
import type { CallArgs } from '../../../data/api.ts'
import type { Unread } from '../../../forms/unread.ts'
import { everyMatch, type PolicyDraft, policyOf, readPolicy } from './policies.ts'
import type { Subscription } from './subscription.ts'

export type Draft = {
  project: string
  way: 'template' | 'trigger'
  template: string
  topics: string[]
  trigger: string
  /** Of the template, or the inputs of the trigger. */
  values: Record<string, unknown>
  conditions: Condition | null
  /** Conditions that were typed as JSON and cannot be read. They stop the wizard at its next step. */
  unreadConditions: Omit<Unread, 'label'> | undefined
  policy: PolicyDraft
  mode: '' | 'continuous' | 'once' | 'once_per_key'
  keyPath: string
  /** Words in place of the trigger's. */
  overrides: Record<string, unknown>
  resources: string[]
  title: string
}

export const noConditions = { conditions: null, unreadConditions: undefined } as const

export const emptyDraft: Draft = {
  ...{ project: '', way: 'template', template: '', topics: [], trigger: '', values: {} },
  ...noConditions,
  ...{ policy: everyMatch, mode: '', keyPath: '', overrides: {}, resources: [], title: '' },
}

const modes = ['continuous', 'once', 'once_per_key'] as const

export function draftOf(kept: Subscription): Draft {
  const read = Conditions.safeParse(kept.conditions)
  return {
    project: kept.project,
    way: kept.topics ? 'template' : 'trigger',
    template: kept.template ?? '',
    topics: kept.topics ?? [],
    trigger: kept.trigger ?? '',
    values: kept.values ?? kept.inputs ?? {},
    conditions: read.success && kept.conditions ? asCondition(read.data) : null,
    unreadConditions: undefined,
    policy: readPolicy(kept.policy),
    mode: modes.find((mode) => mode === kept.delivery?.mode) ?? '',
    keyPath: kept.delivery?.keyPath ?? '',
    overrides: kept.overrides ?? {},
    resources: kept.resources,
    title: kept.meta.title ?? '',
  }
}

/** An empty object asks for nothing. */
export function asCondition(conditions: Condition | Record<string, never>): Condition | null {
  return Object.keys(conditions).length === 0 ? null : (conditions as Condition)
}

type Payload = CallArgs<'createSubscription'> extends { body: infer Body } | undefined ? Body : never

/** A save is whole: what the wizard does not show goes along as it was. */
export function payloadOf(draft: Draft, workspace: string, kept: Subscription | undefined): Payload {
  const { project, way, template, topics, trigger, values, conditions, mode, keyPath, overrides, resources, title } =
    draft
  return {
    ...{ workspace: kept?.workspace ?? workspace, project, resources },
    ...(way === 'template' ? { template, topics, values } : { trigger, inputs: values, conditions }),
    policy: policyOf(draft.policy),
    ...(mode !== '' && { delivery: { mode, ...(mode === 'once_per_key' && { keyPath }) } }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
    meta: title.trim() === '' ? {} : { title },
  }
}
