/**
 * Finds the last block at or before a time, by the times in the headers of blocks. They never fall from one block to the next.
 *
 * 1. From the head it goes back in growing steps to a block that is old enough. A step is at least eight times as long as the
 *    one before; where the average time of the blocks tells more, it is that long.
 * 2. Between that block and the next newer one it guesses by the times of both ends, as long as it can afford a wrong guess.
 *    Then it halves the range, which is always enough.
 *
 * It takes at most 40 reads on a chain with 400 million numbers, whatever the gaps between its blocks.
 */
import { makeIsoFormatter } from '../base/iso-time.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { BlockRef } from './block.ts'
import type { Connection } from './connection.ts'
import type { ReadContext } from './kept-reads.ts'
import { isEndpointsFault, RpcError } from './rpc-pool/index.ts'

export type BlockAt = { number: number; hash: string; timestampMs: number }
/** What the search needs of a chain: `headerFrom` of a connection. */
export type Headers = Pick<Connection, 'headerFrom'>

/** Two more reads find the head and whether the block is final. */
export const headersMax = 38
/** The steps back from the head, in numbers of blocks. */
const [firstStep, growth] = [1_024, 8]

/** Milliseconds since 1970; undefined if the text is no time. */
export function timeOf(time: string | number): number | undefined {
  const text = String(time).trim()
  const ms = /^-?\d+$/.test(text) ? Number(text) : /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isSafeInteger(ms) ? ms : undefined
}

/** The provider `block_at`. The answer is kept for good once a later block is final too: no other block can then be the last. */
export async function readBlockAt(
  { connection, chain, network, kept }: ReadContext,
  time: string | number,
): Promise<unknown> {
  const timeMs = timeOf(time)
  if (timeMs === undefined)
    throw new UpstreamError(
      'refused',
      `"${String(time).slice(0, 60)}" is neither an ISO time nor a number of milliseconds.`,
    )
  let isFinal = false
  const find = async () => {
    const head = await connection.head()
    const block = await findBlockAt(connection, head, timeMs)
    const level = await chain.pace.level?.(connection, 'finalized')
    isFinal = block.number < (level?.number ?? head.number - chain.pace.replaceable)
    return block
  }
  return kept.read(`${network} block_at ${timeMs}`, find, () => isFinal)
}

/** Reads at most `headersMax` headers. */
export async function findBlockAt(headers: Headers, head: BlockRef, timeMs: number): Promise<BlockAt> {
  const search = makeSearch(headers, timeMs)
  const newest = head.timestampMs === undefined ? await search.read(head.number) : head
  if (!newest || 'error' in newest || newest.timestampMs === undefined)
    throw new UpstreamError(
      'failed',
      `The nodes do not have the header of block ${head.number}, the head of the chain.`,
    )
  const { number, timestampMs } = newest
  if (timeMs > timestampMs)
    throw outOfRange(timeMs, `after the head of the chain, block ${number} of ${isoOf(timestampMs)}`)
  if (timeMs === timestampMs) return { number, hash: newest.hash, timestampMs }
  const { low, high } = await findOlder(search, { number, timestampMs }, timeMs)
  const found = low && (await search.between(low, high))
  if (found && 'error' in found) throw found.error
  if (found?.timestampMs === undefined) throw outOfRange(timeMs, 'before the first block of the chain')
  return { number: found.number, hash: found.hash, timestampMs: found.timestampMs }
}

function outOfRange(timeMs: number, why: string): UpstreamError {
  return new UpstreamError('refused', `block_at.out_of_range: ${isoOf(timeMs)} is ${why}.`)
}

const iso = makeIsoFormatter()

export function isoOf(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? iso(ms) : `${ms} ms`
}

/** Nodes that deleted old blocks refuse them. Such a block is older than those that can be read. */
type Unreadable = { number: number; error: UpstreamError }
type Low = BlockRef | Unreadable
/** No block from this number on is old enough; `timestampMs` is the time of the first of them. */
type High = { number: number; timestampMs: number }
type Search = {
  read(number: number): Promise<Low | undefined>
  /** The last block before `high` that is old enough. */
  between(low: Low, high: High): Promise<Low>
}

function makeSearch(headers: Headers, timeMs: number): Search {
  let left = headersMax
  const read: Search['read'] = async (number) => {
    left -= 1
    try {
      return await headers.headerFrom(number)
    } catch (error) {
      if (isRefusal(error)) return { number, error }
      throw error
    }
  }
  return {
    read,
    async between(first, last) {
      let [low, high, isGuess] = [first, last, true]
      while (high.number - low.number > 1) {
        const gap = high.number - low.number
        const middle = low.number + Math.floor(gap / 2)
        const mayGuess = isGuess && left > Math.ceil(Math.log2(gap))
        const number = mayGuess ? (guess(low, high, timeMs) ?? middle) : middle
        const block = await read(number)
        if (block && block.number < high.number && isOldEnough(block, timeMs)) low = block
        else high = { number, timestampMs: timeAfter(block, high) }
        // A guess that left more than half of the range is followed by a bisection.
        isGuess = high.number - low.number <= gap / 2
      }
      return low
    },
  }
}

/** A node that is down or busy says nothing about its blocks. */
function isRefusal(error: unknown): error is UpstreamError {
  if (error instanceof RpcError) return !isEndpointsFault(error)
  return error instanceof UpstreamError && error.kind === 'bad_answer'
}

/** Goes back from the head in growing steps to a block that is old enough; without `low` there is none. */
async function findOlder({ read }: Search, newest: High, timeMs: number): Promise<{ low?: Low; high: High }> {
  let [high, distance] = [newest, firstStep]
  for (;;) {
    const number = Math.max(0, newest.number - distance)
    const block = await read(number)
    if (block && block.number < high.number && isOldEnough(block, timeMs)) return { low: block, high }
    high = { number, timestampMs: timeAfter(block, high) }
    if (number === 0) return { high }
    distance = Math.max(distance * growth, estimate(newest, high, timeMs))
  }
}

/** A block without a time is the first one, or one from before the chain had times. */
function isOldEnough(block: Low, timeMs: number): boolean {
  return 'error' in block || block.timestampMs === undefined || block.timestampMs <= timeMs
}

/** If no block lies between the number and `high`, the next one is that of `high`. */
function timeAfter(block: Low | undefined, high: High): number {
  const isBefore = block && !('error' in block) && block.number < high.number
  return (isBefore ? block.timestampMs : undefined) ?? high.timestampMs
}

/** How far back the time is if the blocks before came as fast as those since, and a tenth more. */
function estimate(newest: High, older: High, timeMs: number): number {
  const passedMs = newest.timestampMs - older.timestampMs
  if (passedMs <= 0) return 0
  return Math.ceil(((newest.timestampMs - timeMs) / passedMs) * (newest.number - older.number) * 1.1)
}

/** Where the time lies between the times of both ends. */
function guess(low: Low, high: High, timeMs: number): number | undefined {
  if ('error' in low || low.timestampMs === undefined || high.timestampMs <= low.timestampMs) return undefined
  const gap = high.number - low.number
  const share = (timeMs - low.timestampMs) / (high.timestampMs - low.timestampMs)
  return low.number + Math.min(gap - 1, Math.max(1, Math.floor(share * gap)))
}
