import type { TriggerSpec } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { indexedCount, knownEvents } from './known-events.ts'
import { warnOfUnmarkedEvent } from './unmarked-event.ts'

type LogSpec = Extract<TriggerSpec, { type: 'evm_log' }>
const warn = (event: string | undefined, extra: Partial<LogSpec> = {}) =>
  warnOfUnmarkedEvent({ type: 'evm_log', dataSource: 'x', ...(event && { event }), ...extra }, 'triggerSpec')
const paidInputs = [{ type: 'address' }, { type: 'uint256' }].map((input) => ({ ...input, indexed: false }))

test.each([
  ['Paid(address,uint256)', {}],
  ['event Paid(address who, uint256 amount)', {}],
  ['Paid(address,uint256)', { topicsCount: 2 }],
  ['Transfer(address,address,uint256)', { topicsCount: 2 }],
])('%s %j does not say which inputs are indexed', async (event, extra) => {
  expect(await warn(event, extra)).toMatchObject({ reasonCode: 'trigger.unmarked_event', path: 'triggerSpec.event' })
})

test.each([
  ['event Paid(address,uint256)', undefined],
  [['event Ping()', 'event Paid(address who, uint256 amount)'], undefined],
  [['event Refund(address indexed who)', 'event Paid(address,uint256)'], 'Paid'],
])('the abiFragment %j with event %s does not say which inputs are indexed', async (abiFragment, event) => {
  expect(await warn(event, { abiFragment })).toMatchObject({
    reasonCode: 'trigger.unmarked_event',
    path: 'triggerSpec.abiFragment',
    message: expect.stringContaining('Write "indexed"'),
  })
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
  ['Paid', { abiFragment: 'event Paid(address indexed who, uint256 amount)' }],
  ['Paid', { abiFragment: 'event Paid(address,uint256)', topicsCount: 1 }],
  ['Paid', { abiFragment: 'event Paid(address,uint256) anonymous' }],
  ['Paid', { abiFragment: { type: 'event', name: 'Paid', inputs: paidInputs } }],
  ['Paid', { abiFragment: ['event Paid(address indexed who)', 'event Refund(address,uint256)'] }],
  ['Transfer', { abiFragment: 'event Transfer(address,address,uint256)' }],
])('%s %j can be decoded', async (event, extra) => {
  expect(await warn(event, extra)).toBeUndefined()
})

test('the warning shows the signature to write, with the names of the definition', async () => {
  const { message } = (await warn('Paid(address who, uint256)')) ?? {}
  expect(message).toContain('Paid(address indexed who, uint256 arg1)')
})

test('known events with one signature differ in the number of indexed inputs', async () => {
  for (const signature of ['Transfer(address,address,uint256)', 'ExecutionSuccess(bytes32,uint256)']) {
    const counts = (await knownEvents(signature)).map(indexedCount)
    expect(new Set(counts).size).toBe(2)
  }
})
