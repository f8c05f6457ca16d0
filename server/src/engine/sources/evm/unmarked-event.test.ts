import { expect, test } from 'vitest'
import { indexedCount, knownEvents } from './known-events.ts'
import { warnOfUnmarkedEvent } from './unmarked-event.ts'

const warn = (event: string, extra: { topicsCount?: number; abiFragment?: string } = {}) =>
  warnOfUnmarkedEvent({ type: 'evm_log', dataSource: 'x', event, ...extra }, 'triggerSpec')

test.each([
  ['Paid(address,uint256)', {}],
  ['event Paid(address who, uint256 amount)', {}],
  ['Paid(address,uint256)', { topicsCount: 2 }],
  ['Transfer(address,address,uint256)', { topicsCount: 2 }],
])('%s %j leaves open which inputs are indexed', async (event, extra) => {
  expect(await warn(event, extra)).toMatchObject({ reasonCode: 'trigger.unmarked_event', path: 'triggerSpec.event' })
})

test.each([
  ['Paid(address indexed who, uint256 amount)', {}],
  ['Transfer(address,address,uint256)', {}],
  ['Transfer(address,address,uint256)', { topicsCount: 4 }],
  ['Ping()', {}],
  ['Ping(uint256)', {}],
  ['Paid(address,uint256)', { topicsCount: 1 }],
  ['Paid(address,uint256)', { topicsCount: 3 }],
  ['Paid(address,uint256) anonymous', {}],
  ['Paid', { abiFragment: 'event Paid(address,uint256)' }],
])('%s %j can be decoded', async (event, extra) => {
  expect(await warn(event, extra)).toBeUndefined()
})

test('the warning says what to write, with the names that are there', async () => {
  const { message } = (await warn('Paid(address who, uint256)')) ?? {}
  expect(message).toContain('Paid(address indexed who, uint256 arg1)')
})

test('known events with one signature differ in the number of indexed inputs', async () => {
  for (const signature of ['Transfer(address,address,uint256)', 'ExecutionSuccess(bytes32,uint256)']) {
    const counts = (await knownEvents(signature)).map(indexedCount)
    expect(new Set(counts).size).toBe(2)
  }
})
