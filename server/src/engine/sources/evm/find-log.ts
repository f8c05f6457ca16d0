/**
 * Finds a log by the times of blocks, for a run that began on another chain. It asks for the logs of the contract over the
 * whole time, and reads the first block that has a fitting one again, with all checks: its item is the one that a trigger on
 * this chain would get.
 */
import { makeLruCache } from '../../base/lru-cache.ts'
import { parsePath, readPath } from '../../base/paths.ts'
import type { SourceItem } from '../../base/source-item.ts'
import { sameKey } from '../../conditions/comparison.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef, ChainBlock } from '../block.ts'
import { findBlockAt } from '../block-at.ts'
import type { Connection, LogSearch, WantedLog } from '../connection.ts'
import { isEvmAddress } from './address.ts'
import { EvmContents } from './contents.ts'
import { topicsOf } from './factory.ts'
import { type LogDecoder, logDecoder } from './log-decoder.ts'

type Blocks = Required<Pick<Connection, 'head' | 'headerFrom' | 'block' | 'logBlocks'>>

const minuteMs = 60_000
/** The numbers of so many minutes are kept, so that runs of one minute share a search for the first block. */
const minutesMax = 2_000

export function makeLogSearch(blocks: Blocks): (wanted: WantedLog) => Promise<LogSearch> {
  const numbers = makeLruCache<number>(minutesMax)
  const numberAt = async (head: BlockRef, timeMs: number) => {
    if (timeMs > timeOf(head)) return head.number
    const known = numbers.find(String(timeMs))
    return known ?? numbers.set(String(timeMs), await findNumberAt(blocks, head, timeMs))
  }
  return async (wanted) => {
    const { event, abiFragment, fromMs, toMs } = wanted
    const contract = requireAddress(wanted.contract)
    const decoder = await logDecoder({ type: 'evm_log', dataSource: '', event, abiFragment })
    const isWanted = matcherOf(wanted.match)
    const head = await blocks.head()
    if (timeOf(head) < fromMs) return { log: null, readToMs: timeOf(head) }
    const topics = topicsOf(decoder.forms)
    // A reorg can move the block of a minute by some numbers, so both ends have a minute to spare.
    const range = {
      from: await numberAt(head, minuteBefore(fromMs) - minuteMs),
      to: await numberAt(head, minuteBefore(toMs) + 2 * minuteMs),
    }
    for await (const part of blocks.logBlocks({ addresses: [contract], ...(topics && { topics }) }, range))
      for (const { number } of part.blocks.filter((block) => itemsIn(block, contract, decoder).some(isWanted))) {
        const block = await blocks.block(number, ['logs'], { addresses: [contract] })
        const isInTime = block && timeOf(block) >= fromMs && timeOf(block) <= toMs
        const log = isInTime ? itemsIn(block, contract, decoder).find(isWanted) : undefined
        if (log) return { log }
      }
    return { log: null, readToMs: timeOf(head) }
  }
}

/** Before the first block: the first block. */
async function findNumberAt(blocks: Blocks, head: BlockRef, timeMs: number): Promise<number> {
  try {
    return (await findBlockAt(blocks, head, timeMs)).number
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'refused') return 0
    throw error
  }
}

function minuteBefore(timeMs: number): number {
  return Math.floor(timeMs / minuteMs) * minuteMs
}

function timeOf({ timestampMs = 0 }: BlockRef): number {
  return timestampMs
}

function requireAddress(contract: string): string {
  if (isEvmAddress(contract)) return contract.toLowerCase()
  throw new UpstreamError('refused', 'contract must be 0x and 40 hex digits once its placeholders are filled in.')
}

function itemsIn(block: ChainBlock, contract: string, decoder: LogDecoder): SourceItem[] {
  const { contents } = block
  if (!(contents instanceof EvmContents)) return []
  const logs = (contents.logs ?? []).filter(({ address }) => address === contract)
  return logs.map((log) => decoder.itemOf(block, contents.timestamp, log)).filter((item) => item !== undefined)
}

/**
 * Values are equal as in conditions. A parameter that cannot be decoded fails the search: otherwise the log would look as if
 * it were not there. So does a wanted value that is missing.
 */
function matcherOf(match: WantedLog['match']): (item: SourceItem) => boolean {
  const wanted = Object.entries(match).map(([name, value]) => {
    const key = value === null ? undefined : sameKey(value)
    if (key !== undefined) return { name, path: parsePath(name), key }
    throw new UpstreamError('refused', `match.${name} must be a text, a number or a boolean.`)
  })
  return ({ params }) =>
    wanted.every(({ name, path, key }) => {
      const value = readPath(params, path)
      if (value !== undefined) return sameKey(value) === key
      throw new UpstreamError('refused', `match.${name}: the log has no such value. ${indexedHint}`)
    })
}

const indexedHint = 'If the event has it, say in abiFragment which of its parameters are indexed.'
