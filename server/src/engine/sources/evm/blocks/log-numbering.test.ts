import { expect, test } from 'vitest'
import type { EvmLog } from '../contents.ts'
import { detectNumbering, distinctNumbers, LogNumbering } from './log-numbering.ts'

/** Logs by the places of their transactions and their indexes. */
const logsAt = (...places: [transactionIndex: number, index: number][]): EvmLog[] =>
  places.map(([transactionIndex, index]) => ({
    address: '0x',
    topics: [],
    data: '0x',
    transactionHash: `0x${transactionIndex}`,
    transactionIndex,
    index,
  }))
const perBlock = logsAt([0, 0], [0, 1], [2, 2], [5, 3])
const perTransaction = logsAt([0, 0], [0, 1], [2, 0], [5, 0])

test.each([
  ['none', logsAt(), undefined],
  ['through the block', perBlock, 'block'],
  ['through the block, in any order', perBlock.toReversed(), 'block'],
  ['from 0 in each transaction', perTransaction, 'transaction'],
  ['from 1 in each transaction', logsAt([0, 1], [0, 2], [2, 1]), 'transaction'],
  ['from another number', logsAt([0, 1], [2, 2]), 'offset'],
  ['with a gap', logsAt([0, 0], [2, 2]), 'gaps'],
  ['with a gap in a transaction', logsAt([0, 0], [2, 0], [2, 2]), 'gaps'],
  ['with a repeated number', logsAt([0, 0], [0, 1], [0, 1], [2, 2]), 'gaps'],
  ['all as 0', logsAt([0, 0], [0, 0]), 'gaps'],
])('logs are numbered: %s', (_, logs, expected) => expect(detectNumbering(logs)).toBe(expected))

test('logs get the same numbers whether a node numbers them per block or per transaction', () => {
  expect(distinctNumbers(perBlock)).toEqual([0, 1, 2, 3])
  expect(distinctNumbers(perTransaction)).toEqual([0, 1, 2, 3])
  expect(distinctNumbers(perTransaction.toReversed())).toEqual([3, 2, 1, 0])
})

test('an index that is unique in the block is kept', () => {
  expect(distinctNumbers(logsAt([0, 7], [3, 9]))).toEqual([7, 9])
})

test('logs that share one index are numbered by their order', () => {
  expect(distinctNumbers(logsAt([0, 0], [0, 0], [1, 0]))).toEqual([0, 1, 2])
})

test('a gap in the indexes counts as a missing log until a complete block has a gap too', () => {
  const numbering = new LogNumbering()
  const gap = logsAt([0, 0], [2, 2])
  expect([perBlock, perTransaction, gap].map((logs) => numbering.isWhole(logs))).toEqual([true, true, false])
  numbering.accept(gap)
  expect(numbering.isWhole(gap)).toBe(true)
})

test('a chain may number its logs from another first index, and then must always do so', () => {
  const numbering = new LogNumbering()
  expect(numbering.isWhole(logsAt([0, 1], [0, 2]))).toBe(false)
  numbering.accept(logsAt([0, 1], [0, 2]))
  expect(numbering.isWhole(logsAt([0, 1], [4, 2]))).toBe(true)
  expect(numbering.isWhole(logsAt([0, 2], [4, 3]))).toBe(false)
})

test('a block may have more logs than a function can have arguments', () => {
  const numbering = new LogNumbering()
  const logs = logsAt(...Array.from({ length: 100_000 }, (_, at): [number, number] => [0, at + 1]))
  const more = [...logs, ...logs.map((log) => ({ ...log, index: log.index + logs.length }))]
  expect(numbering.isWhole(more)).toBe(false)
  numbering.accept(more)
  expect(numbering.isWhole(more)).toBe(true)
})
