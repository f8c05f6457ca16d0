import { waitForTurn } from '../../../base/event-loop-turns.ts'
import { hashSignature } from '../abi/keccak.ts'
import { type AbiItem, readAbi } from '../abi/read-abi.ts'
import { selectorOf } from '../abi/selector.ts'
import type { ChainReads } from './chain-reads.ts'
import { constantsOf, hasConstant } from './code-facts.ts'
import { followProxies } from './follow-proxies.ts'

/** The items of an ABI that a person pasted, or why it cannot be read. */
export async function readItems(abi: unknown): Promise<{ items: AbiItem[] } | { message: string }> {
  const read = await readAbi(abi, 'event')
  if (!read.ok) return { message: read.message }
  const hasEntries = read.items.some(({ type }) => type === 'event' || type === 'function')
  return hasEntries ? { items: read.items } : { message: 'has neither an event nor a function' }
}

/** A message if nothing of the ABI occurs in the code of the contract, as when the ABI is of another contract. */
export async function explainWrongAbi(
  reads: ChainReads,
  address: string,
  items: readonly AbiItem[],
): Promise<string | undefined> {
  const { code, targets } = await followProxies(reads, address)
  if (code === '0x') return `${address} has no code on this network. Check the network and the address.`
  const constants = constantsOf(items.flatMap(constantOf))
  for (const each of [address, ...targets]) {
    await waitForTurn()
    if (hasConstant(each === address ? code : await reads.code(each), constants)) return undefined
  }
  return `Nothing of this ABI occurs in the code of ${address}. Check that the ABI is the one of this contract, or of its implementation.`
}

/** What the code of a contract compares with: the selector of a function, or the first topic of an event. */
function constantOf({ type, signature }: AbiItem): string[] {
  if (type === 'function') return [selectorOf(signature).slice(2)]
  return type === 'event' ? [hashSignature(signature).slice(2)] : []
}
