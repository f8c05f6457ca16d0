import * as z from 'zod'
import { isRecord } from '../../folder/paths.ts'

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
export type Contract = { address: string; abi: AbiItem[] }

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
