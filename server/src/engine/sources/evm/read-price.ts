import type { Provider } from '@tocsin/contract'
import { formatUnits } from '../../base/decimals.ts'
import { isObject } from '../../base/json.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef } from '../block.ts'
import { isEvmAddress } from './address.ts'
import { readContract } from './read-contract.ts'
import type { Rpc } from './rpc.ts'

type PriceProvider = Extract<Provider, { type: 'price' }>

/** The last round of a price feed. */
export type PriceRound = { value: string; updatedAt: string; roundId: string }

const roundAbi =
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)'
const decimalsAbi = 'function decimals() view returns (uint8)'

/** Reads the last round of an aggregator at the item's block. */
export async function readPrice(rpc: Rpc, { feed }: PriceProvider, at: BlockRef | undefined): Promise<PriceRound> {
  if (!isEvmAddress(feed))
    throw new UpstreamError('refused', 'feed must be 0x and 40 hex digits once its placeholders are filled in.')
  const read = (method: string, abiFragment: string) =>
    readContract(rpc, { id: '', type: 'evm_read', contract: feed, method, abiFragment }, at)
  const [round, decimals] = await Promise.all([read('latestRoundData', roundAbi), read('decimals', decimalsAbi)])
  const { roundId, answer, updatedAt } = isObject(round) ? round : {}
  const value = formatUnits(answer, Number(decimals))
  if (value === undefined) throw new UpstreamError('bad_answer', `${feed} answered a price that cannot be read.`)
  return { value, updatedAt: timeOf(updatedAt, feed), roundId: String(roundId) }
}

/** A date of JavaScript ends in the year 275760. A round that is not complete has the time 0. */
function timeOf(updatedAt: unknown, feed: string): string {
  const seconds = Number(updatedAt)
  if (seconds > 0 && seconds <= 8.64e12) return new Date(seconds * 1000).toISOString()
  throw new UpstreamError('bad_answer', `The price feed ${feed} has no complete round: its updatedAt is ${updatedAt}.`)
}
