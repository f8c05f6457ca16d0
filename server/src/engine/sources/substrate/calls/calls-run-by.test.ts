import { expect, test } from 'vitest'
import type { SubstrateEvent } from '../contents.ts'
import type { Call } from './call.ts'
import { callsRunBy } from './calls-run-by.ts'

/** A call as the runtime's types decode it, and the same as the extrinsic's own. */
const inner = (pallet: string, call: string, params: object = {}) => ({
  type: pallet,
  value: { type: call, value: params },
})
const outer = ({ type, value }: ReturnType<typeof inner>): Call => ({
  pallet: type,
  call: value.type,
  args: Object.values(value.value),
  params: { ...value.value },
})
const utility = (call: string, ...calls: object[]) => inner('Utility', call, { calls })
const pay = (to: string) => inner('Balances', 'transfer', { to })
const event = (name: string, ...args: unknown[]): SubstrateEvent => {
  const [pallet = '', event = ''] = name.split('.')
  const block = { number: 1, hash: '0x1', timestamp: null }
  return { block, index: 0, pallet, event, phase: 'ApplyExtrinsic', extrinsic: 2, args, params: {} }
}
const paid = event('Balances.Transfer')
const item = event('Utility.ItemCompleted')
const completed = event('Utility.BatchCompleted')
const done = event('System.ExtrinsicSuccess', {})
const ok = { type: 'Ok', value: null }
const poor = { type: 'Module', value: { type: 'Balances', value: 'InsufficientBalance' } }
const err = { type: 'Err', value: poor }

/** The result of each call by its path: true, or the error. */
function results(call: ReturnType<typeof inner>, events: SubstrateEvent[]): Record<string, unknown> {
  const entries = callsRunBy(outer(call), events).map(({ path, outcome }) => [path, outcome.success || outcome.error])
  return Object.fromEntries(entries)
}

test('a call without calls inside is one call with the result of the extrinsic', () => {
  expect(callsRunBy(outer(pay('bob')), [paid, done])).toEqual([
    {
      call: { pallet: 'Balances', call: 'transfer', args: ['bob'], params: { to: 'bob' } },
      path: '0',
      outcome: { success: true },
    },
  ])
  expect(results(pay('bob'), [event('System.ExtrinsicFailed', poor, {})])).toEqual({ 0: poor })
})

test('batch stops at the call that fails', () => {
  const batch = utility('batch', pay('a'), pay('b'), pay('c'))
  expect(results(batch, [paid, item, paid, item, paid, item, completed, done])).toEqual({
    ...{ 0: true, '0.0': true, '0.1': true, '0.2': true },
  })
  const interrupted = event('Utility.BatchInterrupted', 1, poor)
  expect(results(batch, [paid, item, interrupted, done])).toEqual({
    ...{ 0: true, '0.0': true, '0.1': poor, '0.2': 'NotExecuted' },
  })
})

test('batch_all fails as a whole', () => {
  const batch = utility('batch_all', pay('a'), pay('b'))
  expect(results(batch, [paid, item, paid, item, completed, done])).toEqual({ 0: true, '0.0': true, '0.1': true })
  expect(results(batch, [event('System.ExtrinsicFailed', poor, {})])).toEqual({ 0: poor, '0.0': poor, '0.1': poor })
})

test('force_batch tells the result of each call', () => {
  const batch = utility('force_batch', pay('a'), pay('b'), pay('c'))
  const failed = event('Utility.ItemFailed', poor)
  const withErrors = event('Utility.BatchCompletedWithErrors')
  expect(results(batch, [failed, paid, item, failed, withErrors, done])).toEqual({
    ...{ 0: true, '0.0': poor, '0.1': true, '0.2': poor },
  })
})

test.each([
  [inner('Proxy', 'proxy', { real: 'x', call: pay('a') }), 'Proxy.ProxyExecuted'],
  [inner('Proxy', 'proxy_announced', { call: pay('a') }), 'Proxy.ProxyExecuted'],
  [inner('Sudo', 'sudo', { call: pay('a') }), 'Sudo.Sudid'],
  [inner('Sudo', 'sudo_unchecked_weight', { call: pay('a') }), 'Sudo.Sudid'],
  [inner('Sudo', 'sudo_as', { call: pay('a') }), 'Sudo.SudoAsDone'],
  [inner('Utility', 'dispatch_as', { as_origin: 'Root', call: pay('a') }), 'Utility.DispatchedAs'],
  [inner('Multisig', 'as_multi', { call: pay('a') }), 'Multisig.MultisigExecuted'],
  [
    inner('Whitelist', 'dispatch_whitelisted_call_with_preimage', { call: pay('a') }),
    'Whitelist.WhitelistedCallDispatched',
  ],
])('%j says in its event how the call inside ended', (call, name) => {
  expect(results(call, [paid, event(name, 'first', ok), done])).toEqual({ 0: true, '0.0': true })
  expect(results(call, [event(name, 'first', err), done])).toEqual({ 0: true, '0.0': poor })
})

test.each(['as_derivative', 'with_weight', 'dispatch_as_fallible'])('utility.%s ends like the call inside', (name) => {
  const call = inner('Utility', name, { call: pay('a') })
  expect(results(call, [paid, done])).toEqual({ 0: true, '0.0': true })
  expect(results(call, [event('System.ExtrinsicFailed', poor, {})])).toEqual({ 0: poor, '0.0': poor })
})

test('a multisig call runs with the last approval only', () => {
  const approve = inner('Multisig', 'as_multi', { call: pay('a') })
  expect(results(approve, [event('Multisig.NewMultisig', 'x'), done])).toEqual({ 0: true, '0.0': 'NotExecuted' })
  const both = utility('batch', approve, approve)
  const events = [
    paid,
    event('Multisig.MultisigExecuted', 'x', ok),
    item,
    event('Multisig.MultisigApproval', 'x'),
    item,
  ]
  expect(results(both, [...events, completed, done])).toMatchObject({ '0.0.0': true, '0.1.0': 'NotExecuted' })
})

test('an older multisig call holds its call after the length in bytes', () => {
  const call = inner('Multisig', 'as_multi', { call: [7, pay('a')] })
  expect(results(call, [paid, event('Multisig.MultisigExecuted', 'x', ok), done])).toEqual({ 0: true, '0.0': true })
})

test('if_else runs its second call if the first one fails', () => {
  const call = inner('Utility', 'if_else', { main: pay('a'), fallback: pay('b') })
  expect(results(call, [paid, event('Utility.IfElseMainSuccess'), done])).toMatchObject({
    '0.0': true,
    '0.1': 'NotExecuted',
  })
  const fallback = event('Utility.IfElseFallbackCalled', poor)
  expect(results(call, [paid, fallback, done])).toMatchObject({ '0.0': poor, '0.1': true })
})

test('calls inside calls inside calls have their own results', () => {
  const proxy = (call: object) => inner('Proxy', 'proxy', { call })
  const executed = (result: object) => event('Proxy.ProxyExecuted', result)
  const call = utility(
    'force_batch',
    utility('batch', proxy(pay('a')), pay('b')),
    proxy(utility('batch', pay('c'), pay('d'))),
  )
  const first = [paid, executed(ok), item, event('Utility.BatchInterrupted', 1, poor), item]
  const second = [paid, item, paid, item, completed, executed(ok), item]
  expect(results(call, [...first, ...second, completed, done])).toEqual({
    ...{ 0: true, '0.0': true, '0.0.0': true, '0.0.0.0': true, '0.0.1': poor },
    ...{ '0.1': true, '0.1.0': true, '0.1.0.0': true, '0.1.0.1': true },
  })
  const failed = [event('Utility.ItemFailed', poor), ...second, completed, done]
  expect(results(call, failed)).toMatchObject({ '0.0': poor, '0.0.0': poor, '0.0.0.0': poor, '0.1.0.1': true })
})

test('runtimes without an event for each item of a batch are understood', () => {
  const call = utility(
    'batch',
    inner('Proxy', 'proxy', { call: pay('a') }),
    inner('Proxy', 'proxy', { call: pay('b') }),
  )
  const events = [event('Proxy.ProxyExecuted', err), paid, event('Proxy.ProxyExecuted', ok), completed, done]
  expect(results(call, events)).toMatchObject({ '0.0': true, '0.0.0': poor, '0.1.0': true })
})

test('a call that is stored for later is not run', () => {
  const scheduled = inner('Scheduler', 'schedule', { when: 5, call: pay('a') })
  expect(results(scheduled, [event('Scheduler.Scheduled'), done])).toEqual({ 0: true })
})

test('too many levels are refused', () => {
  let deep = pay('a')
  for (let level = 0; level < 300; level++) deep = inner('Sudo', 'sudo', { call: deep })
  const events = Array.from({ length: 300 }, () => event('Sudo.Sudid', ok))
  expect(() => callsRunBy(outer(deep), [...events, done])).toThrow('nested in more than 256 levels')
})
