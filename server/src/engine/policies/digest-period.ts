import type { Policy } from '@tocsin/contract'
import { nextTickMs } from '../sources/timer/schedule.ts'
import { durationMs } from './duration-ms.ts'

/** When the period of a digest ends that begins now. */
export function periodEnd(policy: Policy, now: Date): Date {
  if (policy?.type !== 'digest') return now
  const { every, at, timezone } = policy
  const nowMs = now.getTime()
  const endMs = at === undefined ? nowMs + durationMs(every) : nextTickMs(at, timezone, nowMs)
  return new Date(endMs ?? nowMs)
}
