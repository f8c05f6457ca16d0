import { expect, test } from 'vitest'
import type { EvmLog } from '../contents.ts'
import { Doubted, Doubts } from './doubts.ts'

const header = { hash: '0xb', number: 7 }
const logsOf = (...names: string[]) =>
  names.map(
    (data, index) =>
      ({ transactionHash: '0x1', transactionIndex: 0, index, address: '0xc', topics: [], data }) as unknown as EvmLog,
  )
const partial = (...names: string[]) =>
  new Doubted('receipts', 'The node omitted a receipt.', { logs: logsOf(...names), receipts: [] })

function doubtsOfBlock() {
  let now = 0
  const doubts = new Doubts(() => now, 'logs')
  return {
    /** One read of the block: what each endpoint gives, by its name. Endpoints that give nothing failed otherwise. */
    read(ms: number, answers: Record<string, Doubted>): string[] | undefined {
      now = ms
      const began = doubts.now
      for (const [from, error] of Object.entries(answers)) doubts.note(header, from, error)
      return doubts.settle(header, began)?.logs.map(({ data }) => data)
    },
  }
}

test('an answer that fails a check counts once nodes have given it for 25 s', () => {
  const { read } = doubtsOfBlock()
  expect(read(0, { a: partial('x') })).toBe(undefined)
  expect(read(24_999, { a: partial('x') })).toBe(undefined)
  expect(read(25_000, { a: partial('x') })).toEqual(['x'])
})

test('an answer from before counts no more while nodes fail for other reasons', () => {
  const { read } = doubtsOfBlock()
  expect(read(0, { a: partial('x') })).toBe(undefined)
  for (const ms of [10_000, 30_000, 300_000]) expect(read(ms, {})).toBe(undefined)
})

test('an endpoint that gives another part each time is waited for longer, and then the longest answer of the last ones counts', () => {
  const { read } = doubtsOfBlock()
  expect(read(0, { a: partial('x') })).toBe(undefined)
  expect(read(20_000, { a: partial('y') })).toBe(undefined)
  expect(read(30_000, { a: partial('x') })).toBe(undefined)
  expect(read(60_000, { a: partial('y', 'z'), b: partial('x') })).toBe(undefined)
  expect(read(100_000, { b: partial('x') })).toEqual(['y', 'z'])
})
