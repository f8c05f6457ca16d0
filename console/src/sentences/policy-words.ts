import type { Finality } from '@tocsin/contract'
import { groupDigits } from '../components/numbers/group-digits.ts'
import { isInput, scalarWords } from './condition-words.ts'
import { durationWords, periodWords } from './duration-words.ts'
import { timerWords } from './timer-words.ts'

/** A policy as the API has it. A form may leave a field empty. */
export type PolicyFields = Record<string, unknown>
export type DeliveryFields = {
  mode?: string | undefined
  keyPath?: string | undefined
  finality?: Finality | undefined
}

/** When a policy sends: “every time”, “at most once in 5 minutes per from”. `inputs` are those of the subscription. */
export function policyWords(given: PolicyFields, inputs?: Record<string, unknown>): string {
  const policy = withInputs(given, inputs)
  switch (policy.type) {
    case 'throttle':
      return `at most once in ${lasting(policy.per)}${perKey(policy)}`
    case 'digest':
      return `${digestWords(policy)}${policy.max ? `, with at most ${policy.max} matches listed` : ''}`
    case 'monitor':
      return `${policy.for ? `when it has lasted ${lasting(policy.for)}` : 'when it starts'}${perKey(policy)}${pause(policy)}`
    case 'threshold':
      return `${thresholdWords(policy)}${repeatWords(policy)}`
    case 'change':
      return `when ${said(policy.value)} ${changes[said(policy.direction)] ?? 'changes'} by at least ${said(policy.by)}${
        policy.within ? ` within ${lasting(policy.within)}` : ' from one match to the next'
      }${perKey(policy)}`
    case 'count':
      return `when there are ${said(policy.count)} matches within ${lasting(policy.within)}${perKey(policy)}, and when they end${repeatWords(policy)}`
    case 'absence':
      return `when there is no match for ${lasting(policy.within)}${perKey(policy)}, and when there is one again${repeatWords(policy)}`
    default:
      return 'every time'
  }
}

/** “in a digest every day at 09:00 (Europe/Berlin)”. */
function digestWords({ every, at, timezone }: PolicyFields): string {
  if (!isGiven(at)) return `in a digest every ${periodWords(said(every))}`
  const words = timerWords(String(at), isGiven(timezone) ? String(timezone) : undefined)
  return `in a digest ${words.slice(0, 1).toLowerCase()}${words.slice(1)}`
}

/** A bound may be an input: `{{inputs.limit}}`. */
function withInputs(policy: PolicyFields, inputs: Record<string, unknown> | undefined): PolicyFields {
  return Object.fromEntries(
    Object.entries(policy).map(([name, value]) => [name, isInput(value) ? scalarWords(value, { inputs }) : value]),
  )
}

const changes: Readonly<Record<string, string>> = { up: 'rises', down: 'falls' }

function thresholdWords(policy: PolicyFields): string {
  const [side, bound] = isGiven(policy.below) ? ['below', policy.below] : ['above', policy.above]
  const state = policy.for ? `stays ${side} ${said(bound)} for ${lasting(policy.for)}` : `is ${side} ${said(bound)}`
  const end = isGiven(policy.until) ? `it is back at ${said(policy.until)}` : 'it recovers'
  return `when ${said(policy.value)} ${state}${perKey(policy)}, and when ${end}`
}

/** A field of a form that is not filled in yet is shown as “…”. */
function said(value: unknown): string {
  return isGiven(value) ? groupDigits(String(value)) : '…'
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function lasting(value: unknown): string {
  return durationWords(said(value))
}

/** For a policy that counts each key alone. */
export function perKey({ key }: PolicyFields): string {
  return isGiven(key) ? ` per ${key}` : ''
}

/** How often a lasting alert is sent again. */
export function repeatWords({ repeat }: PolicyFields): string {
  return isGiven(repeat) ? `, again every ${periodWords(said(repeat))} while it lasts` : ''
}

function pause({ cooldown }: PolicyFields): string {
  return isGiven(cooldown) ? `, then not again for ${lasting(cooldown)}` : ''
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
