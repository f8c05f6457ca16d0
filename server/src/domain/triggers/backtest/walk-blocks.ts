import { makePauses } from '../../../engine/base/event-loop-turns.ts'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import type { BlockPart, BlockRange, ChainBlock, LogFilter } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'
import type { OneTrigger } from '../../../engine/sources/one-trigger.ts'

/** How many blocks are fetched at the same time. */
const stride = 16

/** Blocks of the range in order. All blocks up to `upTo` were checked: those that are left out have no item. */
export type Walked = { blocks: ChainBlock[]; upTo: number }
export type Walk = { range: BlockRange; triggers: readonly OneTrigger[]; signal: AbortSignal }

/**
 * The blocks of a range in which the triggers may have items. Where the logs of many blocks can be asked for at once, only blocks
 * with such logs are read; otherwise all are. Ends early when `signal` is aborted.
 */
export async function* walkBlocks(connection: Connection, walk: Walk): AsyncIterable<Walked> {
  const { range, triggers, signal } = walk
  let next = range.from
  const filter = logsOfAll(triggers)
  if (filter && connection.logBlocks) {
    // Nodes refuse the logs of blocks that do not exist yet.
    const to = Math.min(range.to, (await connection.head()).number)
    const ranges = connection.logBlocks(filter, { from: range.from, to })[Symbol.asyncIterator]()
    while (!signal.aborted) {
      const part = await nextPart(ranges, next > range.from)
      if (part === 'refused' || part.done) break
      yield* readBlocks(connection, walk, { numbers: await hitsIn(part.value.blocks, triggers), upTo: part.value.to })
      next = part.value.to + 1
    }
  }
  for (; next <= range.to && !signal.aborted; next += stride) {
    const upTo = Math.min(range.to, next + stride - 1)
    const numbers = Array.from({ length: upTo - next + 1 }, (_, offset) => next + offset)
    yield* readBlocks(connection, walk, { numbers, upTo })
  }
}

/** The blocks in which a trigger matches a log, in order. */
async function hitsIn(blocks: readonly ChainBlock[], triggers: readonly OneTrigger[]): Promise<number[]> {
  const pause = makePauses()
  const hits = new Set<number>()
  for (const block of blocks) {
    await pause()
    if (triggers.some((trigger) => trigger.match(block).length > 0)) hits.add(block.number)
  }
  return [...hits].sort((a, b) => a - b)
}

/** A source that refuses the first range is read block by block. */
async function nextPart<T>(ranges: AsyncIterator<T>, hasBegun: boolean): Promise<IteratorResult<T> | 'refused'> {
  try {
    return await ranges.next()
  } catch (error) {
    if (hasBegun || !(error instanceof UpstreamError)) throw error
    return 'refused'
  }
}

/** Slots without a block are skipped. */
async function* readBlocks(
  connection: Connection,
  { triggers, signal }: Walk,
  { numbers, upTo }: { numbers: readonly number[]; upTo: number },
): AsyncIterable<Walked> {
  const parts: BlockPart[] = [...new Set(triggers.flatMap(({ items }) => items.neededParts))]
  for (let at = 0; at < numbers.length && !signal.aborted; at += stride) {
    const group = numbers.slice(at, at + stride)
    const read = await Promise.all(group.map((number) => connection.block(number, parts)))
    const isLast = at + stride >= numbers.length
    yield { blocks: read.filter((block) => block !== undefined), upTo: isLast ? upTo : (group.at(-1) ?? upTo) }
  }
  if (numbers.length === 0) yield { blocks: [], upTo }
}

/** The logs of all triggers together; undefined if one of them needs other blocks. */
function logsOfAll(triggers: readonly OneTrigger[]): LogFilter | undefined {
  const filters = triggers.map(({ items }) => items.logs)
  const [first] = filters
  if (!first || filters.some((filter) => filter === undefined)) return undefined
  const together = (lists: (readonly string[] | undefined)[]) =>
    lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : undefined
  const addresses = together(filters.map((filter) => filter?.addresses))
  const topics = together(filters.map((filter) => filter?.topics))
  return addresses || topics ? { ...(addresses && { addresses }), ...(topics && { topics }) } : undefined
}

/** Endpoints answer the logs of so many blocks at once, or of fewer. Each range takes two requests. */
const rangeBlocks = 10_000

/** About how many requests the blocks of a range take. */
export function estimateRequests(
  { logBlocks }: Connection,
  { from, to }: BlockRange,
  triggers: readonly OneTrigger[],
): { blocks: number; requests: number; byRange: boolean } {
  const blocks = to - from + 1
  if (logBlocks && logsOfAll(triggers)) return { blocks, requests: 2 * Math.ceil(blocks / rangeBlocks), byRange: true }
  // The header is read with every block, and each other part takes a request.
  const parts = new Set(triggers.flatMap(({ items }) => items.neededParts).filter((part) => part !== 'header'))
  return { blocks, requests: blocks * (1 + parts.size), byRange: false }
}
