import type { KeyedListener } from '../../../store/alerts/alert-writes.ts'
import type { Candidate } from '../fan-out/candidate.ts'

/** A listener's key as one string. */
export function nameOf({ subscriptionId, ruleId, key }: KeyedListener): string {
  return JSON.stringify([subscriptionId, ruleId, key])
}

export function policyName({ listener, policyKey }: Candidate): KeyedListener {
  return { subscriptionId: listener.subscriptionId, ruleId: listener.ruleId, key: policyKey }
}

export function deliveryName(listener: Candidate['listener'], key: string): KeyedListener {
  return { subscriptionId: listener.subscriptionId, ruleId: listener.ruleId, key }
}

/** A transaction must hold this lock before it reads or changes the policy state of the key. */
export function policyLock(name: KeyedListener): string {
  return `policy ${nameOf(name)}`
}

/** A listener has one digest, so its key is empty. */
export const digestKey = ''
