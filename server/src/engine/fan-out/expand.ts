import type { Condition, DeliveryMode, Overrides, Policy, TemplateRule } from '@tocsin/contract'
import type * as z from 'zod'
import { isObject } from '../base/json.ts'
import { readPath } from '../base/paths.ts'
import { splitPlaceholders } from '../base/placeholders.ts'
import type { Interner } from './interner.ts'
import type { Listener } from './listener.ts'

/** A subscription row. JSON stays text, so that the interner parses equal texts once: most subscriptions are alike. */
export type SubscriptionToExpand = {
  id: string
  account_id: string
  workspace_id: string
  template_id: string | null
  trigger_id: string | null
  topics: string | null
  vals: string | null
  inputs: string | null
  conditions: string | null
  policy: string | null
  delivery: string | null
  overrides: string | null
  resources: string
  /** Null unless the subscription runs over past blocks. */
  history: string | null
}
export type TemplateToExpand = { workspace_id: string; rules: z.output<typeof TemplateRule>[] }

/** A listener whose trigger is not resolved yet. A subscription names it by id, a rule by fullname. */
export type UnboundListener = Omit<Listener, 'triggerId' | 'delivery' | 'projectId'> & {
  delivery: Partial<Listener['delivery']> | null
  trigger: { id: string } | { fullname: string; forWorkspace: string }
}

/** Returns the listeners of a subscription: one for its trigger, or one for each rule of its topics. */
export function expandSubscription(
  row: SubscriptionToExpand,
  template: TemplateToExpand | undefined,
  interner: Interner,
): UnboundListener[] {
  if (row.template_id !== null) return template ? listenersOfRules(row, template, interner) : []
  if (row.trigger_id === null) return []
  const listener = {
    ...commonFields(row, '', interner),
    inputs: interner.parse<Record<string, unknown>>(row.inputs) ?? noValues,
    conditions: interner.parse<Condition>(row.conditions),
    policy: policyOf(row, interner.parse<Record<string, unknown>>(row.inputs) ?? noValues, interner),
  }
  return [{ ...listener, trigger: { id: interner.text(row.trigger_id) } }]
}

const noValues: Record<string, unknown> = Object.freeze({})

function commonFields(row: SubscriptionToExpand, ruleId: string, interner: Interner) {
  return {
    key: `${row.id}:${ruleId}`,
    subscriptionId: row.id,
    ruleId,
    accountId: interner.text(row.account_id),
    workspaceId: interner.text(row.workspace_id),
    delivery: interner.parse<z.output<typeof DeliveryMode>>(row.delivery),
    overrides: interner.parse<Overrides>(row.overrides) ?? noValues,
    resources: interner.parse<Listener['resources']>(row.resources) ?? [],
    ...(row.history !== null && { history: JSON.parse(row.history) as NonNullable<Listener['history']> }),
  }
}

/** Uses the rules of the chosen topics that are not deprecated and have all required values. The subscription's policy replaces a rule's policy. */
function listenersOfRules(
  row: SubscriptionToExpand,
  template: TemplateToExpand,
  interner: Interner,
): UnboundListener[] {
  const topics = new Set(interner.parse<string[]>(row.topics) ?? [])
  const values = interner.parse<Record<string, unknown>>(row.vals) ?? noValues
  const policy = policyOf(row, values, interner)
  return template.rules
    .filter((rule) => topics.has(rule.topic) && !rule.deprecated && hasValues(rule.requiredValues, values))
    .map((rule) => ({
      ...commonFields(row, interner.text(rule.id), interner),
      inputs: interner.value({ ...values, ...fillPlaceholders(rule.inputs ?? noValues, values) }),
      conditions: interner.value(rule.conditions ? fillPlaceholders(rule.conditions, values, withoutObject) : null),
      policy: policy ?? interner.value(rule.policy ? fillPlaceholders(rule.policy, values) : null),
      trigger: { fullname: rule.trigger, forWorkspace: template.workspace_id },
    }))
}

/** A bound of a policy may be an input. */
function policyOf(
  row: SubscriptionToExpand,
  values: Record<string, unknown>,
  interner: Interner,
): NonNullable<Policy> | null {
  const policy = interner.parse<NonNullable<Policy>>(row.policy)
  return policy && row.policy?.includes('{{') ? interner.value(fillPlaceholders(policy, values)) : policy
}

function hasValues(required: readonly string[], values: Record<string, unknown>): boolean {
  return required.every((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value !== undefined && value !== null && value !== ''
  })
}

/**
 * An object equals nothing in conditions. As the value of a rule's condition, `{list}` would name a list of the template's
 * workspace, which the subscriber may not be able to read.
 */
function withoutObject(value: unknown): unknown {
  return isObject(value) ? {} : value
}

type Convert = (value: unknown) => unknown
const unchanged: Convert = (value) => value

/**
 * Replaces each `{{inputs.x}}` in a rule by the subscription's value. A placeholder alone keeps the value's type. A
 * placeholder without a value stays as text, and a condition on it is never met. `convert` changes each whole value.
 */
export function fillPlaceholders<T>(value: T, values: Record<string, unknown>, convert?: Convert): T
export function fillPlaceholders(value: unknown, values: Record<string, unknown>, convert = unchanged): unknown {
  if (typeof value === 'string') return value.includes('{{') ? fillText(value, values, convert) : value
  if (Array.isArray(value)) return value.map((inner) => fillPlaceholders(inner, values, convert))
  if (!isObject(value)) return value
  const filled = Object.entries(value).map(([name, inner]) => [name, fillPlaceholders(inner, values, convert)])
  return Object.fromEntries(filled)
}

function fillText(text: string, values: Record<string, unknown>, convert: Convert): unknown {
  const pieces = splitPlaceholders(text)
  const [only] = pieces
  if (pieces.length === 1 && only?.kind === 'placeholder')
    return convert(valueAt(only.reference?.segments, values)) ?? text
  return pieces
    .map((piece) => {
      if (piece.kind !== 'placeholder') return piece.text
      const found = valueAt(piece.reference?.segments, values)
      if (found === undefined) return `{{${piece.content}}}`
      return typeof found === 'string' ? found : JSON.stringify(found)
    })
    .join('')
}

function valueAt(segments: readonly string[] | undefined, values: Record<string, unknown>): unknown {
  const [root, ...path] = segments ?? []
  return root === 'inputs' ? readPath(values, path) : undefined
}
