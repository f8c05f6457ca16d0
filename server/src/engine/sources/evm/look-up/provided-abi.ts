import { hashSignature } from '../abi/keccak.ts'
import { type AbiItem, readAbi } from '../abi/read-abi.ts'
import { selectorOf } from '../abi/selector.ts'
import type { ChainReads } from './chain-reads.ts'
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
  const codes = [code, ...(await Promise.all(targets.map(reads.code)))]
  const isInCode = (constant: string) => codes.some((each) => each.includes(constant.slice(2)))
  const fits = items.some(({ type, signature }) => {
    if (type === 'function') return isInCode(selectorOf(signature))
    return type === 'event' && isInCode(hashSignature(signature))
  })
  if (fits) return undefined
  return `Nothing of this ABI occurs in the code of ${address}. Check that the ABI is the one of this contract, or of its implementation.`
}
