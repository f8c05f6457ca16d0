import type { Condition, DeliveryMode, Overrides, Policy } from '@tocsin/contract'
import type * as z from 'zod'
import { isObject } from '../../engine/base/is-object.ts'
import { readPath } from '../../engine/base/paths.ts'
import { splitPlaceholders } from '../../engine/base/placeholders.ts'
import type { LiveSubscription, TemplateToExpand } from '../../store/following/listeners.ts'
import type { Listener } from './listener.ts'
import type { Sharing } from './share.ts'

/** A listener whose trigger is yet to be found: by its id, or by the name that a rule gives. */
export type Ear = Omit<Listener, 'triggerId' | 'delivery' | 'projectId'> & {
  delivery: Listener['delivery'] | null
  trigger: { id: string } | { fullname: string; forWorkspace: string }
}

/** What a subscription listens to: one trigger, or one for each rule of the topics that it chose. */
export function earsOf(row: LiveSubscription, template: TemplateToExpand | undefined, sharing: Sharing): Ear[] {
  if (row.template_id !== null) return template ? earsOfRules(row, template, sharing) : []
  if (row.trigger_id === null) return []
  const ear = {
    ...commonOf(row, '', sharing),
    inputs: sharing.parse<Record<string, unknown>>(row.inputs) ?? nothing,
    conditions: sharing.parse<Condition>(row.conditions),
    policy: sharing.parse<NonNullable<Policy>>(row.policy),
  }
  return [{ ...ear, trigger: { id: sharing.text(row.trigger_id) } }]
}

const nothing: Record<string, unknown> = Object.freeze({})

function commonOf(row: LiveSubscription, ruleId: string, sharing: Sharing) {
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
function earsOfRules(row: LiveSubscription, template: TemplateToExpand, sharing: Sharing): Ear[] {
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
