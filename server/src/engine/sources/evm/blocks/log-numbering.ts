import type { EvmLog } from '../contents.ts'

/**
 * How nodes number the logs of a block. Most nodes number all logs of the block from 0, so a missing number is a missing
 * log. Some start again at 0 in every transaction, and some leave gaps.
 */
export type Numbering = 'block' | 'transaction' | 'offset' | 'gaps'

/** For all logs of one block; undefined where there is none. */
export function detectNumbering(logs: readonly EvmLog[]): Numbering | undefined {
  const ordered = inOrder(logs)
  const [first] = ordered
  if (!first) return undefined
  if (isRun(ordered, first.index)) return first.index === 0 ? 'block' : 'offset'
  const byTransaction = [...Map.groupBy(ordered, ({ transactionIndex }) => transactionIndex).values()]
  return byTransaction.every((group) => isRun(group, first.index)) ? 'transaction' : 'gaps'
}

/** What one endpoint has shown of its numbering so far. It counts from 0 without gaps until a complete block says otherwise. */
export class LogNumbering {
  #first = 0
  #hasGaps = false

  /** False when the numbers say that logs are missing, or that one came twice. */
  isWhole(logs: readonly EvmLog[]): boolean {
    const numbering = detectNumbering(logs)
    if (this.#hasGaps || numbering !== 'offset') return this.#hasGaps || numbering !== 'gaps'
    return firstIndex(logs) === this.#first
  }

  /** These are all logs of a block, although their numbers look as if some were missing. */
  accept(logs: readonly EvmLog[]): void {
    if (detectNumbering(logs) === 'offset' && this.#first === 0) this.#first = firstIndex(logs)
    else this.#hasGaps = true
  }
}

/**
 * A number for each log that no other log of the list has. It is the log's own index wherever those are distinct, so that
 * alerts keep their ids; where indexes repeat, it is the position of the log in the block. That is the index
 * that a node would give which counts through the block, so both kinds of nodes lead to the same ids.
 */
export function distinctNumbers(logs: readonly EvmLog[]): readonly number[] {
  const indexes = logs.map(({ index }) => index)
  if (isRising(indexes) || new Set(indexes).size === indexes.length) return indexes
  const positions = new Map(inOrder(logs).map((log, position) => [log, position]))
  return logs.map((log, at) => positions.get(log) ?? at)
}

/** A block may have more logs than a function can have arguments. */
function firstIndex(logs: readonly EvmLog[]): number {
  return logs.reduce((first, { index }) => Math.min(first, index), Number.POSITIVE_INFINITY)
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? number))
}

/** The order of the block. Sorting is stable: where the numbers say nothing, the order of the answer stays. */
function inOrder(logs: readonly EvmLog[]): EvmLog[] {
  return logs.toSorted((a, b) => a.transactionIndex - b.transactionIndex || a.index - b.index)
}

function isRun(logs: readonly EvmLog[], from: number): boolean {
  return logs.every(({ index }, at) => index === from + at)
}
