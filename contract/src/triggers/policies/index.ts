/** The policies: which outputs of a subscription become alerts, and when. A new one is a file beside this one and a line in the list. */
import * as z from 'zod'
import { absence } from './absence.ts'
import { change } from './change.ts'
import { count } from './count.ts'
import { digest } from './digest.ts'
import { filter } from './filter.ts'
import { monitor } from './monitor.ts'
import { rate } from './rate.ts'
import type { PolicyRecord } from './record.ts'
import { sum } from './sum.ts'
import { threshold } from './threshold.ts'
import { throttle } from './throttle.ts'

export { type Bound, type BoundUnit, boundText, itemToken, unitOfBound, unitOfPolicy } from './amounts.ts'
export {
  type EventWords,
  type PolicyAlternative,
  type PolicyFields,
  type PolicyFormPart,
  type PolicyInput,
  type PolicyRecord,
  repeatWords,
} from './record.ts'

/** All but `filter`, in the order in which people choose among them. */
const deciding = [throttle, digest, monitor, threshold, change, rate, sum, count, absence] as const

export const policies = [filter, ...deciding] as const
type Listed = (typeof policies)[number]

/** When a match becomes a delivery. `null` equals filter: every match. */
export const Policy = z.discriminatedUnion('type', [filter.schema, ...deciding.map(({ schema }) => schema)]).nullable()
export type Policy = z.output<typeof Policy>

/** The types of policies that an alert may name as what decided. */
export const decidingPolicyTypes = deciding.map(({ type }) => type)

/** A policy with a state for each key. Its outputs are evaluated in the order of their items. */
export type StatePolicy = Extract<Policy, { type: Extract<Listed, { hasStates: true }>['type'] }>

const records = new Map<string, PolicyRecord>(policies.map((record) => [record.type, record]))

/** Undefined for a type that no policy has. */
export function policyOfType(type: unknown): PolicyRecord | undefined {
  return records.get(String(type))
}

export function isStatePolicy(policy: Policy): policy is StatePolicy {
  return policy !== null && policyOfType(policy.type)?.hasStates === true
}
