import { type Finality, type Issue, type Policy, parseDurationMs } from '@tocsin/contract'
import type { Subscription } from './subscription.ts'

/** The policy of a subscription as the form edits it. */
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
  { value: 'filter', label: 'Every time', about: 'One message for each match.' },
  { value: 'throttle', label: 'Rate limit', about: 'At most one message per period. Further matches are dropped.' },
  { value: 'digest', label: 'Digest', about: 'Matches are collected and sent as one message.' },
  {
    value: 'monitor',
    label: 'Sustained',
    about: 'One message when the condition has lasted for some time, then none until it ends.',
  },
]

export function readPolicy(policy: unknown): PolicyDraft {
  if (typeof policy !== 'object' || policy === null) return everyMatch
  const given = { ...policy } as Partial<PolicyDraft>
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
      : [{ path: field, message: 'Enter a duration, such as 30s, 5m, 1h30m or 1d' }]
  })
}

export function describePolicy(draft: PolicyDraft): string {
  const per = draft.key === '' ? '' : ` per ${draft.key}`
  switch (draft.type) {
    case 'filter':
      return 'Every match'
    case 'throttle':
      return `At most once in ${draft.per}${per}`
    case 'digest':
      return `Digest every ${draft.every}${draft.max === undefined ? '' : ` or ${draft.max} matches`}`
    case 'monitor':
      return `${draft.for === '' ? 'When the condition starts' : `When the condition has lasted ${draft.for}`}${per}`
  }
}

export function describeDelivery(delivery: Subscription['delivery']): string {
  const { mode, keyPath = 'key', finality = 'seen' } = delivery ?? {}
  const wait = finality === 'seen' ? '' : `, ${describeFinality(finality)}`
  if (mode === undefined) return `Default of the trigger${wait}`
  if (mode === 'once') return `Only once${wait}`
  return `${mode === 'once_per_key' ? `Once per ${keyPath}` : 'Every time'}${wait}`
}

function describeFinality(finality: Finality): string {
  return typeof finality === 'string'
    ? `when the block is ${finality}`
    : `after ${finality.confirmations} confirmations`
}
