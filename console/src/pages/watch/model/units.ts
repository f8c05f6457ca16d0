import { chainOf } from '../../../data/chains.ts'
import { groupThousands } from './group-thousands.ts'
import type { Source } from './source.ts'

const shownDigits = 4
type Coin = Pick<Source, 'kind' | 'nativeCurrency'>

/** The decimals of the native coin. A network that says nothing has the usual ones of its chain. */
export function coinDecimals({ kind, nativeCurrency }: Coin): { decimals: number } {
  return { decimals: nativeCurrency?.decimals ?? chainOf(kind)?.coinDecimals ?? 0 }
}

/** “ETH”, or “coins” if the network does not say. */
export function coinName({ nativeCurrency }: Coin): string {
  return nativeCurrency?.symbol ?? 'coins'
}

/** An amount of the native coin as “1,250.5 ETH”. */
export function showCoins(units: string, coin: Coin): string {
  return `${showUnits(units, coinDecimals(coin).decimals)} ${coinName(coin)}`
}

/** An amount in the smallest unit as “1,250.5”, without needless zeros. */
export function showUnits(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  const shown = fraction.slice(0, shownDigits).replace(/0+$/, '')
  return groupThousands(shown === '' ? whole : `${whole}.${shown}`)
}
