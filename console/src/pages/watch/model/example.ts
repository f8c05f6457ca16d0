import { filtersOf, type Token } from './filters.ts'
import type { Offer } from './offers.ts'
import { nameOf } from './plan.ts'
import { showUnits } from './units.ts'

const fieldsMax = 3

/** The inputs of the latest one: “from 0x12…ab, to 0x34…cd, value 1,000 USDC”. */
export function exampleOf(offer: Offer, params: Record<string, unknown>, token: Token | undefined): string {
  const amounts = filtersOf(offer, token).filter(({ kind }) => kind === 'amount')
  const parts = Object.entries(params).slice(0, fieldsMax)
  return parts
    .map(([name, value]) => {
      const amount = amounts.find(({ param }) => param === `source.params.${name}`)
      return `${name} ${amount ? `${showUnits(String(value), amount.decimals ?? 0)} ${amount.unit}` : textOf(value)}`
    })
    .join(', ')
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value).slice(0, 40) : nameOf(String(value))
}
