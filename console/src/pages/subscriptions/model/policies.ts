import { type Issue, type Policy, parseDurationMs } from '@tocsin/contract'
import type { Subscription } from './subscription.ts'

/** When a match becomes a message, as the form holds it. */
export type PolicyDraft = {
  type: 'filter' | 'monitor' | 'throttle' | 'digest'
  key: string
  for: string
  cooldown: string
  per: string
  every: string
  max: number | undefined
}

export const everyMatch: PolicyDraft = {
  type: 'filter',
  key: '',
  for: '',
  cooldown: '',
  per: '5m',
  every: '1h',
  max: undefined,
}

export const policyTypes: { value: PolicyDraft['type']; label: string; about: string }[] = [
  { value: 'filter', label: 'Every time', about: 'A message for each match.' },
  { value: 'throttle', label: 'Rate limit', about: 'One message per period; further matches are dropped.' },
  { value: 'digest', label: 'Digest', about: 'Matches are collected and sent as one message.' },
  {
    value: 'monitor',
    label: 'Sustained',
    about: 'One message after the condition has held for a while, then none until it ends.',
  },
]

export function readPolicy(kept: unknown): PolicyDraft {
  if (typeof kept !== 'object' || kept === null) return everyMatch
  const given = { ...kept } as Partial<PolicyDraft>
  const type = policyTypes.find(({ value }) => value === given.type)?.value
  return type === undefined ? everyMatch : { ...everyMatch, ...given, type }
}

export function policyOf(draft: PolicyDraft): Policy {
  const key = draft.key.trim() === '' ? {} : { key: draft.key.trim() }
  switch (draft.type) {
    case 'filter':
      return null
    case 'throttle':
      return { type: 'throttle', ...key, per: draft.per }
    case 'digest':
      return { type: 'digest', every: draft.every, ...(draft.max !== undefined && { max: draft.max }) }
    case 'monitor':
      return {
        type: 'monitor',
        ...key,
        ...(draft.for !== '' && { for: draft.for }),
        ...(draft.cooldown !== '' && { cooldown: draft.cooldown }),
      }
  }
}

const durationsOf: Record<PolicyDraft['type'], ('for' | 'cooldown' | 'per' | 'every')[]> = {
  filter: [],
  throttle: ['per'],
  digest: ['every'],
  monitor: ['for', 'cooldown'],
}

export function checkPolicy(draft: PolicyDraft): Issue[] {
  return durationsOf[draft.type].flatMap((field) => {
    const isLeftOut = draft.type === 'monitor' && draft[field] === ''
    return isLeftOut || parseDurationMs(draft[field]) !== undefined
      ? []
      : [{ path: field, message: 'Write a duration such as 30s, 5m, 1h30m or 1d' }]
  })
}

export function tellPolicy(draft: PolicyDraft): string {
  const per = draft.key === '' ? '' : ` per ${draft.key}`
  switch (draft.type) {
    case 'filter':
      return 'every match'
    case 'throttle':
      return `at most once in ${draft.per}${per}`
    case 'digest':
      return `digest every ${draft.every}${draft.max === undefined ? '' : ` or ${draft.max} matches`}`
    case 'monitor':
      return `${draft.for === '' ? 'when it begins' : `after ${draft.for}`}${per}`
  }
}

export function tellDelivery(delivery: Subscription['delivery']): string {
  if (!delivery) return 'default of the trigger'
  if (delivery.mode === 'once') return 'only once'
  return delivery.mode === 'once_per_key' ? `once per ${delivery.keyPath ?? 'key'}` : 'every time'
}
