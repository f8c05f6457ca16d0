import * as z from 'zod'
import { isRecord } from '../../folder/paths.ts'

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

/** What monitors of other tools match: events and calls by their signature, and transactions by their outcome. */
export const Match = z.object({ signature: z.string(), expression: z.string().nullish() })
export const TransactionMatch = z.object({
  status: z.enum(['Any', 'Success', 'Failure']).default('Any'),
  expression: z.string().nullish(),
})
export type Match = z.output<typeof Match>
export type TransactionMatch = z.output<typeof TransactionMatch>

export type AbiItem = Record<string, unknown>
/** A contract with its ABI, which is empty if the monitor has none. */
type Contract = { address: string; abi: AbiItem[] }

/** The items of an ABI, which may be JSON text. */
export function abiItems(spec: unknown): AbiItem[] {
  const list = typeof spec === 'string' ? parseJson(spec) : spec
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
