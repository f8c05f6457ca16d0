import { useInspect } from '../../data/use-inspect.ts'
import { isObject } from '../json.ts'
import type { ConditionName } from './condition-form.ts'
import type { ItemToken } from './token-note.ts'

type Watching = { triggerSpec?: unknown; fields: readonly ConditionName[]; conditions: unknown }

/** The token of a trigger on one contract, looked up if a row compares an amount in whole tokens. */
export function useItemToken({ triggerSpec, fields, conditions }: Watching): ItemToken | undefined {
  const { dataSource, contract } = isObject(triggerSpec) ? triggerSpec : {}
  const source = typeof dataSource === 'string' ? dataSource : ''
  const address = typeof contract === 'string' && /^0x[0-9a-f]{40}$/i.test(contract) ? contract : ''
  const isNeeded = fields.some(({ decimals }) => decimals === 'token') || hasAmount(conditions)
  const { data } = useInspect(source, address, isNeeded && source !== '' && address !== '')
  if (address === '') return { kind: 'any' }
  if (!data) return undefined
  return data.token
    ? { kind: 'known', symbol: data.token.symbol ?? null, decimals: data.token.decimals }
    : { kind: 'none' }
}

function hasAmount(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAmount)
  return isObject(value) && ('amount' in value || Object.values(value).some(hasAmount))
}
