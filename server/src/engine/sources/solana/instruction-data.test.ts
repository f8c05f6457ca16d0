import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { eventsOfInstructions, eventTag } from './events-of-instructions.ts'
import { decodeLongData } from './instruction-data.ts'
import type { Instruction, Transaction } from './transaction.ts'

const programId = 'P'.repeat(40)
const [short, long] = [20, 900].map((size) => Uint8Array.from([...eventTag, ...new Uint8Array(size).fill(7)]))

/** A transaction of events with this data, which counts how often the data is read. */
function transaction(sent: Uint8Array[]): { transaction: Transaction; reads: () => number } {
  let reads = 0
  const texts = new Map([...new Set(sent)].map((bytes) => [bytes, base58.encode(bytes)]))
  const instructions = sent.map((bytes, position): Instruction => {
    const fields = { position, path: `${position}`, programId, caller: programId, accounts: [], data: '' }
    return Object.defineProperty(fields, 'data', { get: () => ++reads && texts.get(bytes) })
  })
  const empty = { index: 0, signature: 's', error: null, accountKeys: [], signers: [], logs: [] }
  return { transaction: { ...empty, instructions }, reads: () => reads }
}

test('long data of a block is decoded in turns when it arrives, and then not again', async () => {
  if (!short || !long) throw new Error('no data')
  const { transaction: whole, reads } = transaction([short, ...Array<Uint8Array>(3_000).fill(long)])
  let turns = 0
  let isOver = false
  const countTurns = () => {
    turns++
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  await decodeLongData([whole])
  isOver = true
  expect(turns).toBeGreaterThan(1)
  const before = reads()
  const events = eventsOfInstructions(whole)
  expect(reads() - before).toBe(1)
  expect(events.map(({ data }) => data.length)).toEqual([20, ...Array<number>(3_000).fill(900)])
})

test('failed transactions are left alone', async () => {
  if (!long) throw new Error('no data')
  const { transaction: whole, reads } = transaction([long])
  await decodeLongData([{ ...whole, error: 'failed' }])
  expect(reads()).toBe(0)
})
