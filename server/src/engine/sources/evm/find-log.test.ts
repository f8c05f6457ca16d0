import { pad, toHex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { alice, bob, connectedEvm, transfer } from '../../../../../tests/nodes/connected-evm.ts'
import type { WantedLog } from '../connection.ts'

const { node, connection, connectTo, faulty, close } = await connectedEvm()
afterAll(close)

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const startMs = 2_000_000_000_000
/** Emits a transfer in a block of this time, in seconds since the start. */
async function transferAt(seconds: number, value: number): Promise<string> {
  await node.request('evm_setNextBlockTimestamp', [startMs / 1000 + seconds])
  const { contract } = await node.emit([topic0, pad(alice), pad(bob)], pad(toHex(value)))
  return contract
}
const contract = await transferAt(0, 1)
const numbers = new Map<number, number>()
for (const [seconds, value] of [
  [100, 7],
  [200, 8],
  [300, 8],
  [1_000, 9],
  [1_100, 0],
] as const) {
  await transferAt(seconds, value)
  numbers.set(seconds, Number(await node.request('eth_blockNumber')))
}

const find = (wanted: Partial<WantedLog>, from = connection) =>
  from.findLog?.({
    ...{ contract, event: 'Transfer', abiFragment: transfer, match: {} },
    ...{ fromMs: startMs, toMs: startMs + 400_000 },
    ...wanted,
  })

test('the first log that fits is found between the two times, as the item that a trigger on that chain gets', async () => {
  const found = await find({ match: { value: '8', to: bob.toUpperCase().replace('0X', '0x') } })
  expect(found).toMatchObject({
    log: {
      ...{ address: contract.toLowerCase(), blockNumber: numbers.get(200), blockTimestamp: startMs / 1000 + 200 },
      ...{ event: 'Transfer', params: { from: alice, to: bob, value: '8' } },
    },
  })
})

test('a log outside the times, of another contract or with another value is none; the answer says how far was read', async () => {
  const none = { log: null, readToMs: startMs + 1_100_000 }
  expect(await find({ match: { value: '9' } })).toEqual(none)
  expect(await find({ match: { value: '7' }, fromMs: startMs + 101_000 })).toEqual(none)
  expect(await find({ match: { value: '7' }, contract: alice })).toEqual(none)
  expect(await find({ match: { value: '7', from: bob } })).toEqual(none)
  expect(await find({ match: { value: '9' }, toMs: startMs + 1_000_000 })).toMatchObject({ log: { params: {} } })
})

test('a time that the chain has not reached is not read', async () => {
  const later = { fromMs: startMs + 5_000_000, toMs: startMs + 6_000_000 }
  expect(await find(later)).toEqual({ log: null, readToMs: startMs + 1_100_000 })
})

test('an endpoint that does not have the last block yet is not believed that there is no log', async () => {
  const newest = String(await node.request('eth_blockNumber'))
  const asked: unknown[] = []
  const behind = await faulty((method, [number]) => {
    if (method === 'eth_getLogs') return { result: [] }
    if (number !== 'latest' && number !== newest) return undefined
    asked.push(number)
    return number === newest ? { result: null } : { error: { code: -32000, message: 'no head now' } }
  })
  const both = connectTo(behind.url, node.url)
  const wanted = { match: { value: '9' }, toMs: startMs + 5_000_000 }
  expect(await find(wanted, both)).toMatchObject({ log: { params: { value: '9' } } })
  expect(asked).toEqual(['latest', newest])
})

test('a value that is missing, and a parameter that cannot be read, fail instead of finding nothing', async () => {
  await expect(find({ match: { value: null } })).rejects.toThrow('match.value must be a text, a number or a boolean')
  const unmarked = 'event Transfer(address from, address to, uint256 value, bytes more)'
  await expect(find({ match: { none: 1 } })).rejects.toThrow('the log has no such value')
  expect(await find({ match: { value: 7 }, abiFragment: unmarked })).toMatchObject({ log: null })
  await expect(find({ contract: 'nobody' })).rejects.toThrow('contract must be')
})
