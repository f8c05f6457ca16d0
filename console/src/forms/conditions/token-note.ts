import type { Op } from '../condition-ops.ts'
import { valueFormOf } from './condition-values.ts'

/** The token of the items that are compared: of one contract, of a contract that tells no decimals, or of any contract. */
export type ItemToken = { kind: 'known'; symbol: string | null; decimals: number } | { kind: 'none' } | { kind: 'any' }

/** In which unit a row takes its amount, if it is an amount of a token. */
export function tokenNote(
  op: Op,
  value: unknown,
  decimals: number | 'token' | undefined,
  token: ItemToken | undefined,
): string | undefined {
  const form = valueFormOf(value)
  const isText = op === 'startsWith' || op === 'matches'
  const isInField = form === 'plain' || form === 'values'
  if (isInField && !isText && typeof decimals === 'number' && decimals > 0)
    return `In whole units, with ${decimals} decimals.`
  if (form !== 'tokens' && (!isInField || isText || decimals !== 'token')) return undefined
  if (token?.kind === 'known') return `In whole ${token.symbol ?? 'tokens'}, with ${token.decimals} decimals.`
  if (token?.kind === 'none')
    return 'The contract tells no decimals, so no whole tokens can be compared. Choose “Amount in units” and give the decimals.'
  return 'In whole tokens, by the decimals that the contract of the token tells. A contract that tells none never meets this.'
}

/** The decimals that a new amount in units starts with. The native coin of EVM networks has 18. */
export function unitDecimals(param: string, token: ItemToken | undefined): number {
  if (param === 'source.value') return 18
  return token?.kind === 'known' ? token.decimals : 0
}
