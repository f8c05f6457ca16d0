import { parseDurationMs } from '@tocsin/contract'
import type { KeyedListener } from '../../../store/alerts/alert-writes.ts'
import type { Candidate } from '../fan-out/candidate.ts'

/** A key of one listener, as one text. */
export function nameOf({ subscriptionId, ruleId, key }: KeyedListener): string {
  return JSON.stringify([subscriptionId, ruleId, key])
}

export function policyName({ listener, policyKey }: Candidate): KeyedListener {
  return { subscriptionId: listener.subscriptionId, ruleId: listener.ruleId, key: policyKey }
}

export function deliveryName(listener: Candidate['listener'], key: string): KeyedListener {
  return { subscriptionId: listener.subscriptionId, ruleId: listener.ruleId, key }
}

/** Whoever decides about a key holds this lock. */
export function policyLock(name: KeyedListener): string {
  return `policy ${nameOf(name)}`
}

/** A digest is one for the whole listener. */
export const digestKey = ''

export function durationMs(text: string | undefined): number {
  return text === undefined ? 0 : (parseDurationMs(text) ?? 0)
}
