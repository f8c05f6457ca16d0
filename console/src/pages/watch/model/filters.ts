import type { Condition } from '@tocsin/contract'
import { addressIssue } from './addresses.ts'
import type { Filter } from './filter.ts'
import type { Offer, OfferInput } from './offers.ts'
import type { Source } from './source.ts'

export type Token = { decimals: number; symbol?: string | undefined }

const amountNames = /^_?(value|amount|wad|assets|shares|tokens|allowance)$/i
const filtersMax = 6

/** The inputs that can be filtered, and the caller of a call. */
export function filtersOf(
  { type, inputs, filters }: Pick<Offer, 'type' | 'inputs' | 'filters'>,
  token: Token | undefined,
): Filter[] {
  if (filters) return filters.slice(0, filtersMax)
  const caller: Filter[] = type === 'call' ? [{ param: 'source.from', label: 'Caller', kind: 'address' }] : []
  const ofInputs = inputs.flatMap((input, at) => filterOf(input, at, token))
  return [...caller, ...ofInputs].slice(0, filtersMax)
}

function filterOf({ name, type }: OfferInput, at: number, token: Token | undefined): Filter[] {
  const param = name === '' ? `source.args.${at}` : `source.params.${name}`
  const label = name === '' ? `Input ${at + 1}` : labelOf(name)
  if (type === 'address') return [{ param, label, kind: 'address' }]
  if (type === 'bool') return [{ param, label, kind: 'boolean' }]
  if (/^u?int\d*$/.test(type)) {
    if (!token || !amountNames.test(name)) return [{ param, label, kind: 'number' }]
    return [{ param, label, kind: 'amount', decimals: token.decimals, unit: token.symbol ?? 'tokens' }]
  }
  return type === 'string' || /^bytes\d+$/.test(type) ? [{ param, label, kind: 'text' }] : []
}

export function labelOf(name: string): string {
  const words = name.replace(/^_+|_+$/g, '').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** The values by path. An empty text means no filter. */
export type FilterValues = Record<string, string>

export function checkFilters(filters: readonly Filter[], values: FilterValues, source: Source): FilterValues {
  const issues = filters.flatMap(({ param, kind }) => {
    const value = values[param] ?? ''
    const issue = value === '' ? undefined : valueIssue(kind, value, source)
    return issue === undefined ? [] : [[param, issue] as const]
  })
  return Object.fromEntries(issues)
}

function valueIssue(kind: Filter['kind'], value: string, source: Source): string | undefined {
  if (kind === 'address') return addressIssue(value, source)
  if (kind === 'amount' || kind === 'number')
    return /^(\d+\.?\d*|\.\d+)$/.test(value) ? undefined : 'Enter a number, or nothing.'
  return undefined
}

export function conditionsOf(filters: readonly Filter[], values: FilterValues): Condition[] {
  return filters.flatMap((filter) => {
    const value = values[filter.param] ?? ''
    return value === '' ? [] : [conditionOf(filter, value)]
  })
}

function conditionOf({ param, kind, decimals = 0 }: Filter, value: string): Condition {
  switch (kind) {
    case 'amount':
      return { param, op: 'gte', value: { amount: value, decimals } }
    case 'number':
      return { param, op: 'gte', value }
    case 'boolean':
      return { param, op: 'eq', value: value === 'true' }
    default:
      return { param, op: 'eq', value }
  }
}

/** “ with from 0x12…ab and value at least 1,000 USDC”, or nothing. */
export function filtersText(filters: readonly Filter[], values: FilterValues, show: (text: string) => string): string {
  const parts = filters.flatMap(({ param, label, kind, unit }) => {
    const value = values[param] ?? ''
    if (value === '') return []
    const isLeast = kind === 'amount' || kind === 'number'
    return [`${label.toLowerCase()} ${isLeast ? 'at least ' : ''}${show(value)}${unit === undefined ? '' : ` ${unit}`}`]
  })
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`
}
