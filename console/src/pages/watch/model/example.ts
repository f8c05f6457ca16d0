import { isAddress } from '../../../layouts/address/address-form.ts'
import { filtersOf, type Token } from './filters.ts'
import type { Offer } from './offers.ts'
import { nameOf } from './plan.ts'
import type { Source } from './source.ts'
import { showUnits } from './units.ts'

const fieldsMax = 3

/** The inputs of the latest one: “from 0x12…, to 0x34…, value 1,000 USDC”. Addresses stay whole. */
export function exampleOf(
  offer: Offer,
  params: Record<string, unknown>,
  token: Token | undefined,
  kind: Source['kind'],
): string {
  const amounts = filtersOf(offer, token).filter(({ kind }) => kind === 'amount')
  const parts = Object.entries(params).slice(0, fieldsMax)
  return parts
    .map(([name, value]) => {
      const amount = amounts.find(({ param }) => param === `source.params.${name}`)
      return `${name} ${amount ? `${showUnits(String(value), amount.decimals ?? 0)} ${amount.unit}` : textOf(value, kind)}`
    })
    .join(', ')
}

function textOf(value: unknown, kind: Source['kind']): string {
  if (typeof value === 'object') return JSON.stringify(value).slice(0, 40)
  return isAddress(String(value), kind) ? String(value) : nameOf(String(value))
}
