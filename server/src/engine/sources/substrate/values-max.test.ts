import { expect, test } from 'vitest'
import { defs, sampleMetadata } from '../../../../../tests/nodes/substrate-metadata.ts'
import { listCalls } from './calls/list-calls.ts'
import { Cursor, valuesMax } from './cursor.ts'
import { decodeEvents } from './decode-events.ts'
import { readRuntime } from './runtime.ts'

/** A node chooses the types and the bytes of a block. A list of values without bytes is as long as its length says. */

const block = { number: 1, hash: '0x', timestamp: null }
const refused = `more than ${valuesMax.toLocaleString('en-US')} values`
const variant = (fields: { name?: string; type: number }[]) => ({
  tag: 'variant',
  value: [
    {
      name: 'Many',
      index: 0,
      docs: [],
      fields: fields.map((each) => ({ name: undefined, ...each, typeName: undefined, docs: [] })),
    },
  ],
})
const nothings = defs.length
const nothing = defs.findIndex(({ tag, value }) => tag === 'composite' && Array.isArray(value) && value.length === 0)
const sampleEvent = 6
const types = [...defs, { tag: 'sequence', value: nothing }]
types[sampleEvent] = variant([{ name: 'all', type: nothings }])

/** Lengths below 2^14 take two bytes, larger ones four. */
function compact(count: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(count * 4 + (count < 2 ** 14 ? 1 : 2))
  return bytes.subarray(0, count < 2 ** 14 ? 2 : 4)
}

/** Events with a list of nothing each. */
const events = (count: number, values: number) => {
  const record = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 7, 0]), compact(values), Buffer.from([0])])
  return `0x${Buffer.concat([compact(count), ...Array<Buffer>(count).fill(record)]).toString('hex')}`
}

test('the events of a block have a limit for all their values, and are decoded in turns', async () => {
  const runtime = await readRuntime(sampleMetadata(14, types), {})
  let turns = 0
  let isOver = false
  const countTurns = () => {
    turns++
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const read = await decodeEvents(events(16_000, 110), runtime, block)
  isOver = true
  expect(read).toHaveLength(16_000)
  expect(read.at(-1)?.params).toEqual({ all: Array(110).fill(null) })
  expect(turns).toBeGreaterThan(1)
  await expect(decodeEvents(events(20_000, 110), runtime, block)).rejects.toThrow(refused)
})

test('all extrinsics of a block share a limit', async () => {
  const ofCall = [...types, variant([{ name: 'all', type: nothings }]), variant([{ type: types.length }])]
  const read = await readRuntime(sampleMetadata(15, ofCall), {})
  if (!('call' in read.extrinsic)) throw new Error('another version')
  const runtime = { ...read, extrinsic: { ...read.extrinsic, call: types.length + 1 } }
  const body = Buffer.concat([Buffer.from([4, 0, 0]), compact(1_000)])
  const one = `0x${Buffer.concat([compact(body.length), body]).toString('hex')}`
  const list = (count: number) => {
    const ended = { pallet: 'System', event: 'ExtrinsicSuccess', phase: 'ApplyExtrinsic', args: [], params: {}, block }
    const events = Array.from({ length: count }, (_, extrinsic) => ({ ...ended, extrinsic, index: extrinsic }))
    return listCalls(Array<string>(count).fill(one), events, runtime, block)
  }
  expect(await list(1_900)).toHaveLength(1_900)
  await expect(list(2_100)).rejects.toThrow(refused)
})

test('the bits of a sequence count as values', async () => {
  const bits = { tag: 'bitSequence', value: { bitStoreType: 0, bitOrderType: 10 } }
  const runtime = await readRuntime(sampleMetadata(14, [...types, bits]), {})
  const decode = runtime.decoder(types.length)
  const cursor = (values: number) =>
    new Cursor(Buffer.concat([compact(80_000), Buffer.alloc(10_000)]), { count: values })
  expect(decode(cursor(10_001))).toBe('0'.repeat(80_000))
  expect(() => decode(cursor(9_999))).toThrow(refused)
})
