import { type Finality, type PolicyFields, policyOfType } from '@tocsin/contract'
import { isObject } from '../forms/json.ts'
import { isInput, scalarWords } from './condition-words.ts'

export type DeliveryFields = {
  mode?: string | undefined
  keyPath?: string | undefined
  finality?: Finality | undefined
}

/** When a policy sends: “every time”, “at most once in 5 minutes per from”. `inputs` are those of the subscription. */
export function policyWords(policy: PolicyFields, inputs?: Record<string, unknown>): string {
  return policyOfType(policy.type)?.words(withInputs(policy, inputs)) ?? 'every time'
}

/** A bound may be an input: `{{inputs.limit}}`. */
function withInputs(policy: PolicyFields, inputs: Record<string, unknown> | undefined): PolicyFields {
  const filled = (value: unknown): unknown => {
    if (isObject(value)) return { ...value, amount: filled(value.amount) }
    return isInput(value) ? scalarWords(value, { inputs }) : value
  }
  return Object.fromEntries(Object.entries(policy).map(([name, value]) => [name, filled(value)]))
}

/** How often a subscription sends the same thing: “only once”, “once per to”. */
export function modeWords({ mode, keyPath }: DeliveryFields): string | undefined {
  if (mode === 'once') return 'only once'
  if (mode === 'once_per_key') return `once per ${keyPath ?? 'key'}`
  return mode === 'continuous' ? 'every time' : undefined
}

/** When a delivery waits for more blocks: “after 12 confirmations”. Undefined if it does not wait. */
export function finalityWords(finality: Finality | undefined): string | undefined {
  if (finality === undefined || finality === 'seen') return undefined
  if (typeof finality === 'string') return `when the block is ${finality}`
  const { confirmations } = finality
  return `after ${confirmations} ${confirmations === 1 ? 'confirmation' : 'confirmations'}`
}

/** Says in one sentence when an alert is sent; undefined if it is sent at once. */
export function describeWait(finality: Finality | undefined): string | undefined {
  if (finality === undefined || finality === 'seen') return undefined
  return `An alert is listed at once and sent ${finalityWords(finality)}; if the block goes away before, it is not sent.`
}
