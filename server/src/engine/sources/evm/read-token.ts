import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef } from '../block.ts'
import { type TokenMetadata, type TokenMetadataProvider, tokenText } from '../token-metadata.ts'
import { decoderOf } from './abi/codec.ts'
import { isEvmAddress } from './address.ts'
import { callAt } from './read-contract.ts'
import { hasReverted } from './revert-reason.ts'
import { isForgotten, type Rpc } from './rpc.ts'

/** The data of the calls. The last one asks by ERC-165 whether the contract is an ERC-721. */
const calls = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  isErc721: `0x01ffc9a780ac58cd${'0'.repeat(56)}`,
}
const decodeString = decoderOf([{ type: 'string', indexed: false }])

/** Reads an ERC-20 or ERC-721 token at the item's block, or at the head if no node has the state of that block any more. */
export async function readToken(
  rpc: Rpc,
  { contract }: TokenMetadataProvider,
  at: BlockRef | undefined,
): Promise<TokenMetadata> {
  if (!isEvmAddress(contract))
    throw new UpstreamError('refused', 'contract must be 0x and 40 hex digits once its placeholders are filled in.')
  try {
    return await readTokenAt(rpc, contract, at)
  } catch (error) {
    if (!at || !isForgotten(error)) throw error
    return readTokenAt(rpc, contract, undefined)
  }
}

async function readTokenAt(rpc: Rpc, contract: string, at: BlockRef | undefined): Promise<TokenMetadata> {
  const ask = (data: string) => callIfPresent(rpc, { to: contract, data }, at)
  const [name, symbol, decimalsWord, isErc721] = await Promise.all([
    ask(calls.name),
    ask(calls.symbol),
    ask(calls.decimals),
    ask(calls.isErc721),
  ])
  const texts = { address: contract.toLowerCase(), name: textOf(name), symbol: textOf(symbol) }
  if (smallNumber(isErc721) === 1) return { ...texts, decimals: 0, standard: 'erc721' }
  const decimals = smallNumber(decimalsWord)
  if (decimals !== undefined) return { ...texts, decimals, standard: 'erc20' }
  throw new UpstreamError('bad_answer', `${contract} is neither an ERC-20 with decimals() nor an ERC-721 token.`)
}

/** Undefined if the contract has no such function: it answered nothing, or the call reverted. */
async function callIfPresent(rpc: Rpc, transaction: object, at: BlockRef | undefined): Promise<string | undefined> {
  try {
    const answer = await callAt(rpc, transaction, at)
    return answer === '0x' ? undefined : answer
  } catch (error) {
    if (hasReverted(error)) return undefined
    throw error
  }
}

/** The first word as a number; undefined if it does not fit uint8. Further words are ignored, as a calling contract does. */
function smallNumber(answer: string | undefined): number | undefined {
  const [word] = /^0x0{62}[0-9a-f]{2}/i.exec(answer ?? '') ?? []
  return word === undefined ? undefined : Number(word)
}

/** Old tokens such as MKR return bytes32. A string takes two words at least. */
function textOf(answer: string | undefined): string | null {
  if (answer === undefined) return null
  if (answer.length === 66) return tokenText(Buffer.from(answer.slice(2), 'hex'))
  try {
    return tokenText(String(decodeString(answer)[0]))
  } catch {
    return null
  }
}
