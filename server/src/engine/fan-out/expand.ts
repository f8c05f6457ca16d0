import type { Condition, DeliveryMode, Overrides, Policy, TemplateRule } from '@tocsin/contract'
import type * as z from 'zod'
import { isObject } from '../base/is-object.ts'
import { readPath } from '../base/paths.ts'
import { splitPlaceholders } from '../base/placeholders.ts'
import type { Listener } from './listener.ts'
import type { Sharing } from './share.ts'

/** A subscription as the store keeps it. JSON is left as text: most subscriptions say the same, so each text is parsed once. */
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
}
export type TemplateToExpand = { workspace_id: string; rules: z.output<typeof TemplateRule>[] }

/** A listener whose trigger is not looked up yet: it is named by its id, or by the fullname in a rule. */
export type UnboundListener = Omit<Listener, 'triggerId' | 'delivery' | 'projectId'> & {
  delivery: Listener['delivery'] | null
  trigger: { id: string } | { fullname: string; forWorkspace: string }
}

/** The listeners of a subscription: one for its trigger, or one for each rule of the topics that it chose. */
export function expandSubscription(
  row: SubscriptionToExpand,
  template: TemplateToExpand | undefined,
  sharing: Sharing,
): UnboundListener[] {
  if (row.template_id !== null) return template ? listenersOfRules(row, template, sharing) : []
  if (row.trigger_id === null) return []
  const listener = {
    ...commonOf(row, '', sharing),
    inputs: sharing.parse<Record<string, unknown>>(row.inputs) ?? nothing,
    conditions: sharing.parse<Condition>(row.conditions),
    policy: sharing.parse<NonNullable<Policy>>(row.policy),
  }
  return [{ ...listener, trigger: { id: sharing.text(row.trigger_id) } }]
}

const nothing: Record<string, unknown> = Object.freeze({})

function commonOf(row: SubscriptionToExpand, ruleId: string, sharing: Sharing) {
  return {
    key: `${row.id}:${ruleId}`,
    subscriptionId: row.id,
    ruleId,
    accountId: sharing.text(row.account_id),
    workspaceId: sharing.text(row.workspace_id),
    delivery: sharing.parse<z.output<typeof DeliveryMode>>(row.delivery),
    overrides: sharing.parse<Overrides>(row.overrides) ?? nothing,
    resources: sharing.parse<Listener['resources']>(row.resources) ?? [],
  }
}

/** Rules of chosen topics that are not deprecated and whose values are there. A rule of its own policy gives way to the subscription's. */
function listenersOfRules(row: SubscriptionToExpand, template: TemplateToExpand, sharing: Sharing): UnboundListener[] {
  const topics = new Set(sharing.parse<string[]>(row.topics) ?? [])
  const values = sharing.parse<Record<string, unknown>>(row.vals) ?? nothing
  const policy = sharing.parse<NonNullable<Policy>>(row.policy)
  return template.rules
    .filter((rule) => topics.has(rule.topic) && !rule.deprecated && hasValues(rule.requiredValues, values))
    .map((rule) => ({
      ...commonOf(row, sharing.text(rule.id), sharing),
      inputs: sharing.value({ ...values, ...fill(rule.inputs ?? nothing, values) }),
      conditions: sharing.value(rule.conditions ? fill(rule.conditions, values) : null),
      policy: policy ?? sharing.value(rule.policy ? fill(rule.policy, values) : null),
      trigger: { fullname: rule.trigger, forWorkspace: template.workspace_id },
    }))
}

function hasValues(required: readonly string[], values: Record<string, unknown>): boolean {
  return required.every((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value !== undefined && value !== null && value !== ''
  })
}

/**
 * `{{inputs.x}}` anywhere in a rule is the subscription's value of that name. One alone keeps its type; what has no value
 * stays as it is written, and a condition on it is never met.
 */
export function fill<T>(value: T, values: Record<string, unknown>): T
export function fill(value: unknown, values: Record<string, unknown>): unknown {
  if (typeof value === 'string') return value.includes('{{') ? fillText(value, values) : value
  if (Array.isArray(value)) return value.map((inner) => fill(inner, values))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, values)]))
}

function fillText(text: string, values: Record<string, unknown>): unknown {
  const pieces = splitPlaceholders(text)
  const [only] = pieces
  if (pieces.length === 1 && only?.kind === 'placeholder') return valueAt(only.reference?.segments, values) ?? text
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
