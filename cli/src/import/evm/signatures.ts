import { isRecord } from '../../folder/paths.ts'
import type { AbiItem, Contract, Match } from './matches.ts'

/** The contracts of a monitor that share the same ABI items for its conditions. */
export type AbiGroup = { contracts: string[]; found: { match: Match; fragment: AbiItem }[] }

/**
 * The monitor decodes with the ABI of each contract, so contracts whose ABI items differ need triggers of their own. A
 * contract without the item never matches, there and here.
 */
export function groupByAbi(
  contracts: readonly Contract[],
  type: 'event' | 'function',
  matches: readonly Match[],
): AbiGroup[] {
  const groups = new Map<string, AbiGroup>()
  for (const { address, abi } of contracts) {
    const items = abi.filter((item) => (item.type ?? 'function') === type)
    const found = matches.flatMap((match) => {
      const fragment = items.find((item) => isSame(signatureOf(item), match.signature))
      return fragment ? [{ match, fragment }] : []
    })
    if (found.length === 0) continue
    const key = JSON.stringify(found)
    const group = groups.get(key) ?? { contracts: [], found }
    group.contracts.push(address)
    groups.set(key, group)
  }
  return [...groups.values()]
}

export function signatureOf(item: AbiItem): string {
  return `${String(item.name ?? '')}(${inputsOf(item.inputs).join(',')})`
}

function inputsOf(inputs: unknown): string[] {
  return Array.isArray(inputs) ? inputs.filter(isRecord).map(typeOf) : []
}

function typeOf(input: Record<string, unknown>): string {
  const type = String(input.type ?? '')
  return type.startsWith('tuple') ? `(${inputsOf(input.components).join(',')})${type.slice(5)}` : type
}

function isSame(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll(/\s/g, '').toLowerCase()
  return plain(a) === plain(b)
}
