import type { Condition } from '@tocsin/contract'
import type { Answers } from './goal.ts'

/** The wallet is the sender, the receiver or either of them. */
export function sentOrReceived({ subject, direction }: Answers, from: string, to: string): Condition {
  const isSender: Condition = { param: from, op: 'eq', value: subject }
  const isReceiver: Condition = { param: to, op: 'eq', value: subject }
  if (direction === 'both') return { any: [isSender, isReceiver] }
  return direction === 'out' ? isSender : isReceiver
}

type Unit = { decimals: number } | { token: string }

/** No condition if no minimum is given. */
export function atLeast({ least }: Answers, param: string, unit: Unit): Condition[] {
  return least === '' ? [] : [{ param, op: 'gte', value: { amount: least, ...unit } }]
}

/** The token that emitted the event tells its decimals. */
export const ofEmitter = { token: '{{source.address}}' }

/** Nothing chosen means any. */
export function equals(param: string, value: string): Condition[] {
  return value === '' ? [] : [{ param, op: 'eq', value }]
}
