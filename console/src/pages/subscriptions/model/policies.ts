import { type Finality, type Issue, issuesOf, Policy } from '@tocsin/contract'
import { finalityWords, policyWords } from '../../../sentences/policy-words.ts'

type PolicyType = NonNullable<Policy>['type']
type PolicyTexts = Record<(typeof textNames)[number], string>
/** The policy of a subscription as the form edits it. A field that is left out is an empty text. */
export type PolicyDraft = PolicyTexts & {
  type: PolicyType
  side: 'above' | 'below'
  direction: 'any' | 'up' | 'down'
  /** Whether a digest is sent a while after its first match, or at set times. */
  rhythm: 'every' | 'at'
  max: number | undefined
  count: number | undefined
}

const textNames = [
  'key',
  'for',
  'cooldown',
  'per',
  'every',
  'at',
  'timezone',
  'value',
  'bound',
  'until',
  'by',
  'within',
  'repeat',
] as const

export const everyMatch: PolicyDraft = {
  ...{ type: 'filter', side: 'above', direction: 'any', rhythm: 'every', max: undefined, count: 5 },
  ...{ key: '', for: '', cooldown: '', per: '5m', every: '1h', at: '0 9 * * *', timezone: '' },
  ...{ value: '', bound: '', until: '', by: '10%', within: '10m', repeat: '' },
}

export const policyTypes: { value: PolicyType; label: string; about: string }[] = [
  { value: 'filter', label: 'Every time', about: 'One message for each match.' },
  { value: 'throttle', label: 'Rate limit', about: 'At most one message per period. Further matches are dropped.' },
  { value: 'digest', label: 'Digest', about: 'Matches are collected and sent as one message, such as every morning.' },
  {
    value: 'monitor',
    label: 'Sustained',
    about: 'One message when the condition has lasted for some time, then none until it ends.',
  },
  {
    value: 'threshold',
    label: 'Threshold',
    about: 'A message when a value is over or under a bound, and one when it recovers.',
  },
  { value: 'change', label: 'Change', about: 'A message each time that a value changes by a number or a percentage.' },
  {
    value: 'count',
    label: 'Too many',
    about: 'A message when there are many matches in a time, and one when they end.',
  },
  {
    value: 'absence',
    label: 'Nothing happened',
    about: 'A message when there is no match for a time, and one with the next match.',
  },
]

export function readPolicy(policy: unknown): PolicyDraft {
  const { data } = Policy.safeParse(policy)
  if (!data) return everyMatch
  // An optional field that is left out stays empty, also where a new policy has a suggestion.
  const draft = { ...everyMatch, ...(data.type === 'change' && { within: '' }), type: data.type }
  const given: Partial<PolicyDraft> = {}
  for (const [name, value] of Object.entries(data)) {
    if (name === 'at') Object.assign(given, { rhythm: 'at', at: value })
    else if (name === 'above' || name === 'below') Object.assign(given, { side: name, bound: String(value) })
    else
      Object.assign(given, {
        [name]: typeof value === 'number' && name !== 'max' && name !== 'count' ? String(value) : value,
      })
  }
  return { ...draft, ...given }
}

/** The fields of each type, in the order of the form. */
export const fieldsOf: Record<PolicyType, readonly (keyof PolicyDraft)[]> = {
  filter: [],
  throttle: ['per', 'key'],
  digest: ['rhythm', 'every', 'at', 'timezone', 'max'],
  monitor: ['for', 'cooldown', 'key'],
  threshold: ['value', 'side', 'bound', 'until', 'for', 'repeat', 'key'],
  change: ['value', 'by', 'direction', 'within', 'key'],
  count: ['count', 'within', 'repeat', 'key'],
  absence: ['within', 'repeat', 'key'],
}

/** The fields that the form shows now. */
export function shownFields({ type, rhythm }: PolicyDraft): readonly (keyof PolicyDraft)[] {
  const hidden: readonly string[] = rhythm === 'at' ? ['every'] : ['at', 'timezone']
  return type === 'digest' ? fieldsOf.digest.filter((name) => !hidden.includes(name)) : fieldsOf[type]
}

/** `checkPolicy` has checked the draft. */
export function policyOf(draft: PolicyDraft): Policy {
  return draft.type === 'filter' ? null : (Policy.safeParse(payloadOf(draft)).data ?? null)
}

/** What the service gets. Empty texts are left out. */
function payloadOf(draft: PolicyDraft): Record<string, unknown> {
  const payload: Record<string, unknown> = { type: draft.type }
  for (const name of shownFields(draft)) {
    const value = draft[name]
    const text = typeof value === 'string' ? value.trim() : value
    if (text === '' || text === undefined || name === 'side' || name === 'rhythm') continue
    if (name === 'direction' && text === 'any') continue
    payload[name === 'bound' ? draft.side : name] = text
  }
  return payload
}

/** Checks by the schema of the contract, so that the form accepts what the service accepts. */
export function checkPolicy(draft: PolicyDraft): Issue[] {
  if (draft.type === 'filter') return []
  const parsed = Policy.safeParse(payloadOf(draft))
  if (parsed.success) return []
  return issuesOf(parsed.error).map(({ path, message }) => ({
    path: path === 'above' || path === 'below' ? 'bound' : path,
    message,
  }))
}

/** Says in one sentence what will happen. */
export function describePolicy(draft: PolicyDraft): string {
  return `Send ${policyWords(payloadOf(draft))}`
}

/** Says in one sentence when an alert is sent; undefined if it is sent at once. */
export function describeWait(finality: Finality | undefined): string | undefined {
  if (finality === undefined || finality === 'seen') return undefined
  return `An alert is listed at once and sent ${finalityWords(finality)}; if the block goes away before, it is not sent.`
}
