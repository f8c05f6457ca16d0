import type { AlertPolicy, Policy } from '@tocsin/contract'
import { makeIsoFormatter } from '../../../engine/base/iso-time.ts'
import { storableTime } from '../fan-out/index.ts'
import type { PolicyDetails } from './states/key-state.ts'

type PolicyOf<Type extends NonNullable<Policy>['type']> = Extract<Policy, { type: Type }>
const isoOf = makeIsoFormatter()

/** What an alert says of the policy that decided. Null for a policy that decides nothing. */
export function alertPolicy(policy: Policy, { lastAtMs, sinceMs, ...details }: PolicyDetails): AlertPolicy | null {
  if (policy === null || policy.type === 'filter') return null
  return {
    type: policy.type,
    ...boundOf(policy),
    ...details,
    ...('within' in policy && policy.within !== undefined && { within: policy.within }),
    ...('for' in policy && policy.for !== undefined && { for: policy.for }),
    since: storableTime(sinceMs),
    ...(lastAtMs !== undefined && { lastAt: storableTime(lastAtMs) }),
  }
}

function boundOf(policy: NonNullable<Policy>): Pick<AlertPolicy, 'bound'> {
  if (policy.type === 'threshold') return bound(policy.above ?? policy.below)
  if (policy.type === 'change') return bound(policy.by)
  return policy.type === 'count' ? bound(policy.count) : {}
}

function bound(value: string | number | undefined): Pick<AlertPolicy, 'bound'> {
  return value === undefined ? {} : { bound: value }
}

/** `suppressed`: the outputs since the alert before this one. */
export function throttlePolicy({ per }: PolicyOf<'throttle'>, sinceMs: number, suppressed: number): AlertPolicy {
  return { type: 'throttle', within: per, since: storableTime(sinceMs), suppressed }
}

export function digestPolicy({ every, max }: PolicyOf<'digest'>, since: Date, count: number): AlertPolicy {
  const within = every === undefined ? {} : { within: every }
  return { type: 'digest', ...bound(max), count, ...within, since: isoOf(since.getTime()) }
}
