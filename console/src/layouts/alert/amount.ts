import { groupDigits } from '../../components/numbers/group-digits.ts'

/** An amount in a text, ready to be shown: digits grouped, decimals cut. */
export type Amount = { value: string; unit: string }

const number = /(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:\s?(%)|\s([A-Za-z][A-Za-z0-9.]{1,11})(?![\w-]))/
const decimalsMax = 4
/** Words that follow a number without being its unit. */
const notUnits =
  /^(of|in|on|to|and|or|at|for|is|are|was|from|with|blocks?|times?|alerts?|ms|s|min|minutes?|hours?|days?|seconds?)$/i

/** The first amount with a unit: `2450000.5 USDC moved` → 2,450,000.5 USDC. */
export function amountIn(text: string): Amount | undefined {
  const [, whole = '', decimals = '', percent, name = ''] = number.exec(text) ?? []
  const unit = percent ?? name
  if (whole === '' || notUnits.test(unit)) return undefined
  return { value: `${groupDigits(whole.replaceAll(',', ''))}${cutDecimals(decimals)}`, unit }
}

/** `.500000000000000000` → `.5` */
function cutDecimals(decimals: string): string {
  return decimals.slice(0, decimalsMax + 1).replace(/\.?0*$/, '')
}
