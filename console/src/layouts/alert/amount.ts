import { showAmount } from '@tocsin/contract'

/** An amount in a text, as messages show amounts. */
export type Amount = { value: string; unit: string }

const number = /(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:\s?(%)|\s([A-Za-z][A-Za-z0-9.]{1,11})(?![\w-]))/
/** Words that follow a number without being its unit. */
const notUnits =
  /^(of|in|on|to|and|or|at|for|is|are|was|from|with|blocks?|times?|alerts?|ms|s|min|minutes?|hours?|days?|seconds?)$/i

/** The first amount with a unit: `2450000.5 USDC moved` → 2,450,000.5 USDC. */
export function amountIn(text: string): Amount | undefined {
  const [, whole = '', decimals = '', percent, name = ''] = number.exec(text) ?? []
  const unit = percent ?? name
  if (whole === '' || notUnits.test(unit)) return undefined
  return { value: showAmount(`${whole.replaceAll(',', '')}${decimals}`), unit }
}

/// <reference types="vite/client" />

/** Icons of tokens that come with the console, by symbol. */
const files: Readonly<Record<string, string>> = import.meta.glob('./tokens/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** Wrapped and bridged tokens have the icon of the token that they stand for. */
const standsFor: Readonly<Record<string, string>> = { weth: 'eth', 'usdc.e': 'usdc', usdbc: 'usdc', wsol: 'sol' }

/** The address of the icon of a token; undefined if the console has none. */
export function tokenIcon(symbol: string | undefined): string | undefined {
  const name = symbol?.toLowerCase() ?? ''
  return files[`./tokens/${standsFor[name] ?? name}.svg`]
}
