import { Conditions } from '@tocsin/contract'
import type { Args } from '../../../data/api.ts'
import type { ConditionPart } from '../../../forms/conditions/condition-groups.ts'
import type { InvalidText } from '../../../forms/invalid-text.tsx'
import { isObject } from '../../../forms/json.ts'
import { everyMatch, type PolicyDraft, policyOf, readPolicy } from '../../../layouts/policy/policy-draft.ts'
import { nextBlock, type StartDraft, startOf } from './start.ts'
import type { Subscription } from './subscription.ts'

export type Draft = {
  project: string
  /** Topics of a template, or one trigger. */
  kind: 'template' | 'trigger'
  template: string
  topics: string[]
  trigger: string
  /** The values of the template, or the inputs of the trigger. */
  values: Record<string, unknown>
  /** As typed: a row may be incomplete. */
  conditions: ConditionPart | null
  /** Conditions typed as JSON that cannot be parsed. The wizard does not continue until they are corrected. */
  invalidConditions: Omit<InvalidText, 'label'> | undefined
  policy: PolicyDraft
  mode: '' | 'continuous' | 'once' | 'once_per_key'
  keyPath: string
  finality: NonNullable<Subscription['delivery']>['finality']
  /** Message texts that replace the trigger's. */
  overrides: Record<string, unknown>
  resources: string[]
  title: string
  /** Only of a new subscription. */
  start: StartDraft
}

export const noConditions = { conditions: null, invalidConditions: undefined } as const

export const emptyDraft: Draft = {
  ...{ project: '', kind: 'template', template: '', topics: [], trigger: '', values: {} },
  ...noConditions,
  ...{ policy: everyMatch, mode: '', keyPath: '', finality: undefined, overrides: {}, resources: [], title: '' },
  start: nextBlock,
}

const modes = ['continuous', 'once', 'once_per_key'] as const

export function draftOf(subscription: Subscription): Draft {
  return {
    project: subscription.project,
    kind: subscription.topics ? 'template' : 'trigger',
    template: subscription.template ?? '',
    topics: subscription.topics ?? [],
    trigger: subscription.trigger ?? '',
    values: subscription.values ?? subscription.inputs ?? {},
    conditions: isObject(subscription.conditions) ? subscription.conditions : null,
    invalidConditions: undefined,
    policy: readPolicy(subscription.policy),
    mode: modes.find((mode) => mode === subscription.delivery?.mode) ?? '',
    keyPath: subscription.delivery?.keyPath ?? '',
    finality: subscription.delivery?.finality,
    overrides: subscription.overrides ?? {},
    resources: subscription.resources,
    title: subscription.meta.title ?? '',
    start: nextBlock,
  }
}

type Payload = Args<'createSubscription'>['body']

/** The body of a PUT, which replaces the whole subscription, and of a POST, which creates a paused one. */
export function payloadOf(draft: Draft, workspace: string, existing: Subscription | undefined): Payload {
  const { project, kind, template, topics, trigger, values, overrides, resources, title } = draft
  const { mode, keyPath, finality } = draft
  const conditions = Conditions.nullable().safeParse(draft.conditions).data ?? null
  return {
    ...{ workspace: existing?.workspace ?? workspace, project, resources },
    ...(kind === 'template' ? { template, topics, values } : { trigger, inputs: values, conditions }),
    policy: policyOf(draft.policy),
    ...((mode !== '' || finality !== undefined) && {
      delivery: {
        ...(mode !== '' && { mode, ...(mode === 'once_per_key' && { keyPath }) }),
        ...(finality !== undefined && { finality }),
      },
    }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
    meta: title.trim() === '' ? {} : { title },
    ...(!existing && { paused: true, ...startOf(draft.start) }),
  }
}
