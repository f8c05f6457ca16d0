import { chainDescriptions, Policy, TriggerSpec } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { setChains } from '../data/chains.ts'
import { type Names, textOfParts } from './parts.ts'
import { subscriptionSentence, triggerSentence } from './sentence.ts'
import type { SaidTrigger } from './when-words.ts'

setChains(chainDescriptions)

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const names: Names = {
  source: (name) =>
    ({ 'common.ethereum': { title: 'Ethereum', currency: 'ETH' }, 'common.base': { title: 'Base' } })[name],
  trigger: (name) => ({ 'acme.pay.large': 'Large payments' })[name],
  destination: (name) => ({ 'acme.ops': 'Ops webhook', 'acme.chat': 'On-call' })[name],
}
const dataSource = 'common.ethereum'
const spec = (fields: Record<string, unknown>): SaidTrigger => ({ triggerSpec: { dataSource, ...fields } })
const transfer = spec({ type: 'evm_log', contract: usdc, event: 'Transfer(address,address,uint256)' })
const over1000 = { param: 'source.params.value', op: 'gt', value: { amount: '1000', token: usdc } }
const sayTrigger = (trigger: SaidTrigger, subscriptions?: number) =>
  textOfParts(triggerSentence(trigger, names, subscriptions))

const specs: [Record<string, unknown>, string][] = [
  [{ type: 'evm_log' }, 'When an event happens on Ethereum'],
  [{ type: 'evm_log', event: 'event Paid(uint256 id)' }, 'When a Paid event happens on Ethereum'],
  [{ type: 'evm_log', abiFragment: 'event Paid(uint256 id)' }, 'When a Paid event happens on Ethereum'],
  [{ type: 'evm_log', abiFragment: [{ type: 'event' }] }, 'When an event happens on Ethereum'],
  [{ type: 'evm_log', event: 'Approval', contract: [usdc] }, `When an approval of ${usdc} happens on Ethereum`],
  [
    { type: 'evm_log', event: 'Swap', contract: { factory: { contract: usdc } } },
    `When a swap of contracts of the factory ${usdc} happens on Ethereum`,
  ],
  [
    { type: 'evm_log', event: 'Swap', contract: ['a', 'b', 'c', 'd'] },
    'When a swap of 4 contracts happens on Ethereum',
  ],
  [{ type: 'evm_transaction' }, 'When a transaction happens on Ethereum'],
  [{ type: 'evm_call', method: 'pause()', contract: 'X' }, 'When a call of pause to X succeeds on Ethereum'],
  [{ type: 'evm_call', success: false, contract: 'X' }, 'When a call to X fails on Ethereum'],
  [{ type: 'evm_call', success: 'any' }, 'When a call happens on Ethereum'],
  [{ type: 'evm_block' }, 'When a block arrives on Ethereum'],
  [{ type: 'evm_block', every: 1000 }, 'Every 1,000 blocks on Ethereum'],
  [{ type: 'substrate_event', pallet: 'balances', event: 'Transfer' }, 'When a transfer happens on Ethereum'],
  [
    { type: 'substrate_event', pallet: 'staking', event: 'Rewarded' },
    'When a staking.Rewarded event happens on Ethereum',
  ],
  [{ type: 'substrate_call', pallet: 'utility', call: 'batch' }, 'When a call of utility.batch succeeds on Ethereum'],
  [{ type: 'substrate_block', every: 10 }, 'Every 10 blocks on Ethereum'],
  [
    { type: 'solana_event', programId: 'Prog', event: 'TradeEvent' },
    'When a TradeEvent event of the program Prog happens on Ethereum',
  ],
  [
    { type: 'solana_instruction', programId: 'Prog', instruction: 'transferChecked' },
    'When a transferChecked instruction of the program Prog runs on Ethereum',
  ],
  [{ type: 'timer', interval: '5m', dataSource: undefined }, 'Every 5 minutes'],
  [{ type: 'timer', interval: '1h', dataSource: undefined }, 'Every hour'],
  [{ type: 'timer', interval: '1h30m', dataSource: undefined }, 'Every 1 hour 30 minutes'],
  [
    { type: 'timer', interval: '0 9 * * 1-5', timezone: 'Europe/Paris', dataSource: undefined },
    'Every weekday at 09:00 (Europe/Paris)',
  ],
  [{ type: 'timer', interval: '30 8 * * *', dataSource: undefined }, 'Every day at 08:30 (UTC)'],
  [{ type: 'timer', interval: '0 8 * * 0', dataSource: undefined }, 'Every Sunday at 08:00 (UTC)'],
  [{ type: 'timer', interval: '*/15 * * * *', dataSource: undefined }, 'Every 15 minutes'],
  [{ type: 'timer', interval: '*/1 * * * *', dataSource: undefined }, 'Every minute'],
  [
    { type: 'timer', interval: '*/40 * * * *', dataSource: undefined },
    'At the times of the cron schedule */40 * * * * (UTC)',
  ],
  [
    { type: 'timer', interval: '0 8 1 * *', dataSource: undefined },
    'At the times of the cron schedule 0 8 1 * * (UTC)',
  ],
]

test.each(specs)('a trigger on %j in words', (fields, words) => {
  expect(sayTrigger(spec(fields))).toBe(`${words}, send an alert.`)
})

test('every kind of trigger has words', () => {
  const kinds = new Set(specs.map(([{ type }]) => type))
  expect([...kinds].sort()).toEqual(TriggerSpec.options.map(({ shape }) => shape.type.value).sort())
})

test.each([
  ['acme.pay.large', 'When an alert of Large payments happens'],
  ['common.ethereum.events', 'When a change of the status of Ethereum happens'],
  ['', 'When an alert of … happens'],
])('a trigger on the stream %s in words', (stream, words) => {
  expect(sayTrigger({ triggerSpec: null, backend: { trigger: stream } })).toBe(`${words}, send an alert.`)
})

test('the values of a stream are conditions', () => {
  const said = sayTrigger({
    triggerSpec: null,
    backend: { trigger: 'acme.pay.large.events', values: { status: 'broken' } },
  })
  expect(said).toBe('When a change of the status of Large payments happens and status is broken, send an alert.')
})

test.each<[Partial<SaidTrigger>, string]>([
  [{ conditions: over1000 }, `When a transfer exceeds 1,000 ${usdc} on Ethereum, send an alert.`],
  [
    {
      conditions: {
        all: [
          over1000,
          {
            any: [
              { param: 'source.params.to', op: 'eq', value: 'A' },
              { param: 'source.params.to', op: 'eq', value: 'B' },
            ],
          },
        ],
      },
    },
    `When a transfer exceeds 1,000 ${usdc} on Ethereum and (to is A or to is B), send an alert.`,
  ],
  [
    { conditions: { param: 'source.params.value', op: 'gte', value: '1500000' } },
    `When a transfer of ${usdc} happens on Ethereum and value is at least 1,500,000, send an alert.`,
  ],
  [
    { conditions: { param: 'source.params.value', op: 'gt', value: { amount: '{{inputs.limit}}', token: usdc } } },
    `When a transfer exceeds the chosen limit ${usdc} on Ethereum, send an alert.`,
  ],
  [
    { activation: { language: 'javascript', source: 'true' } },
    `When a transfer of ${usdc} happens on Ethereum and its script returns true, send an alert.`,
  ],
  [
    { providers: [{ id: 'price' }, { id: 'names' }] },
    `When a transfer of ${usdc} happens on Ethereum, look up price and names, and send an alert.`,
  ],
  [{ hasProviders: true }, `When a transfer of ${usdc} happens on Ethereum, look up more data, and send an alert.`],
  [
    { sourceBindings: [{ dataSource }, { dataSource: 'common.base' }] },
    `When a transfer of ${usdc} happens on Ethereum or Base, send an alert.`,
  ],
])('a transfer with %j in words', (part, words) => {
  expect(sayTrigger({ ...transfer, ...part })).toBe(words)
})

test('native amounts have the currency of the network', () => {
  const conditions = { param: 'source.value', op: 'gte', value: { amount: '10', decimals: 18 } }
  expect(sayTrigger({ ...spec({ type: 'evm_transaction' }), conditions })).toBe(
    'When a transaction is at least 10 ETH on Ethereum, send an alert.',
  )
})

test('an amount of a token with 18 decimals is not said in the currency of the network', () => {
  const conditions = { param: 'source.params.value', op: 'gte', value: { amount: '10', decimals: 18 } }
  expect(sayTrigger({ ...transfer, conditions })).toBe(
    `When a transfer of ${usdc} is at least 10 (18 decimals) on Ethereum, send an alert.`,
  )
})

test('a trigger says how many subscriptions it has, and its values can be highlighted', () => {
  expect(sayTrigger(transfer, 1)).toContain('send to 1 subscription.')
  expect(sayTrigger(transfer, 1200)).toContain('send to 1,200 subscriptions.')
  expect(triggerSentence({ ...transfer, conditions: over1000 }, names)).toEqual([
    'When a transfer',
    ' exceeds ',
    { value: `1,000 ${usdc}` },
    ' on ',
    { value: 'Ethereum' },
    ', ',
    'send an alert',
    '.',
  ])
})

const subscribed = { project: 'acme.pay', trigger: 'acme.pay.large', resources: ['acme.ops'] }
const whale = { ...transfer, conditions: over1000 }
const saySubscription = (part: object, trigger: SaidTrigger | undefined = whale) =>
  textOfParts(subscriptionSentence({ ...subscribed, ...part }, trigger, names))
const when = `When a transfer exceeds 1,000 ${usdc} on Ethereum`

test('a subscription in words', () => {
  expect(saySubscription({})).toBe(`${when}, send to Ops webhook, every time.`)
  expect(saySubscription({ resources: [] })).toBe(`${when}, list it in the app, every time.`)
  expect(saySubscription({ resources: ['acme.ops', 'acme.chat'] })).toContain(
    'send to Ops webhook and On-call, every time.',
  )
  expect(saySubscription({ delivery: { mode: 'once' } })).toContain('Ops webhook, only once.')
  expect(saySubscription({ delivery: { mode: 'once_per_key', keyPath: 'to' } })).toContain('Ops webhook, once per to.')
  expect(saySubscription({ delivery: { finality: 'finalized' } })).toContain('every time, when the block is finalized.')
  expect(saySubscription({ delivery: { finality: { confirmations: 1 } } })).toContain(
    'every time, after 1 confirmation.',
  )
})

test('what a subscription leaves out is said as the defaults of its trigger have it', () => {
  const once = { ...whale, defaults: { delivery: { mode: 'once_per_key', keyPath: 'to', finality: 'safe' } } } as const
  expect(saySubscription({}, once)).toContain('Ops webhook, once per to, when the block is safe.')
  expect(saySubscription({ delivery: { finality: 'seen' } }, once)).toContain('Ops webhook, once per to.')
  expect(saySubscription({ delivery: { mode: 'continuous' } }, once)).toContain('every time, when the block is safe.')
  expect(saySubscription({ policy: { type: 'throttle', per: '10m' } }, once)).toContain(
    'at most once in 10 minutes, once per to,',
  )
})

test('a bound of a policy that is an input has the value of the subscription', () => {
  const policy = { type: 'threshold', value: 'price', above: '{{inputs.limit}}' }
  expect(saySubscription({ policy, inputs: { limit: 2500 } })).toContain('when price is above 2,500,')
  expect(saySubscription({ policy })).toContain('when price is above the chosen limit,')
})

test('the inputs and filters of a subscription are part of its sentence', () => {
  const trigger = { ...transfer, conditions: { ...over1000, value: { amount: '{{inputs.limit}}', token: usdc } } }
  const conditions = { param: 'to', op: 'in', value: { list: 'acme.exchanges' } }
  expect(saySubscription({ inputs: { limit: 2500 }, conditions }, trigger)).toBe(
    `When a transfer exceeds 2,500 ${usdc} on Ethereum and to is one of the address list acme.exchanges, send to Ops webhook, every time.`,
  )
})

test('a subscription whose trigger is not known names the trigger or its topics', () => {
  const say = (part: object) => textOfParts(subscriptionSentence({ ...subscribed, ...part }, undefined, names))
  expect(say({})).toBe('When Large payments fires, send to Ops webhook, every time.')
  expect(say({ trigger: undefined, topics: ['Whales', 'Depegs'] })).toBe(
    'When Whales or Depegs of acme.pay fires, send to Ops webhook, every time.',
  )
})

const policies: [NonNullable<Policy>, string][] = [
  [{ type: 'filter' }, ', every time.'],
  [{ type: 'throttle', per: '10m', key: 'from' }, ', at most once in 10 minutes per from.'],
  [{ type: 'digest', every: '1h' }, ', in a digest every hour.'],
  [{ type: 'digest', every: '1d', max: 100 }, ', in a digest every day, with at most 100 matches listed.'],
  [{ type: 'digest', at: '0 9 * * *', timezone: 'Europe/Berlin' }, ', in a digest every day at 09:00 (Europe/Berlin).'],
  [{ type: 'monitor' }, ' when it starts.'],
  [{ type: 'monitor', for: '5m', cooldown: '1h' }, ' when it has lasted 5 minutes, then not again for 1 hour.'],
  [{ type: 'threshold', value: 'price', above: 1000 }, ' when price is above 1,000, and when it recovers.'],
  [
    { type: 'threshold', value: 'price', below: '0.98', until: '0.99', for: '5m', repeat: '1h', key: 'pool' },
    ' when price stays below 0.98 for 5 minutes per pool, and when it is back at 0.99, again every hour while it lasts.',
  ],
  [{ type: 'change', value: 'price', by: '10%' }, ' when price changes by at least 10% from one match to the next.'],
  [
    { type: 'change', value: 'price', by: 5, direction: 'down', within: '1h' },
    ' when price falls by at least 5 within 1 hour.',
  ],
  [
    { type: 'rate', value: 'price', per: '1h', above: '10%', key: 'pool', repeat: '6h' },
    ' when price rises by more than 10% within 1 hour per pool, and when it no longer does, again every 6 hours while it lasts.',
  ],
  [
    { type: 'rate', value: 'price', per: '5m', below: -1000 },
    ' when price falls by more than 1,000 within 5 minutes, and when it no longer does.',
  ],
  [
    { type: 'sum', value: 'assets', within: '1h', above: { amount: '50000', decimals: 6 }, key: 'owner' },
    ' when the sum of assets within 1 hour per owner is above 50,000 (6 decimals), and when it no longer is.',
  ],
  [
    { type: 'threshold', value: 'value', above: { amount: 100 } },
    ' when value is above 100 tokens, and when it recovers.',
  ],
]

test.each(policies)('the policy %j in words', (policy, words) => {
  expect(saySubscription({ policy })).toBe(`${when}, send to Ops webhook${words}`)
})

const count = { type: 'count', count: 5, within: '10m' } as const
const absence = { type: 'absence', within: '1d', key: 'to', repeat: '6h' } as const

test('a number of events and the absence of events are said where the sentence begins', () => {
  expect(saySubscription({ policy: count })).toBe(
    `${when} 5 times within 10 minutes, send to Ops webhook, and when they end.`,
  )
  expect(saySubscription({ policy: absence })).toBe(
    `When no transfer exceeds 1,000 ${usdc} on Ethereum for 1 day per to, send to Ops webhook, and when one comes again, again every 6 hours while it lasts.`,
  )
  const timer: SaidTrigger = { triggerSpec: { type: 'timer', interval: '5m' } }
  expect(saySubscription({ policy: absence }, timer)).toBe(
    'Every 5 minutes, send to Ops webhook when there is no match for 1 day per to, and when there is one again, again every 6 hours while it lasts.',
  )
  expect(saySubscription({ policy: count }, timer)).toContain(
    'when there are 5 matches within 10 minutes, and when they end.',
  )
})

test('every policy has words', () => {
  const kinds = new Set([...policies.map(([{ type }]) => type), count.type, absence.type])
  expect([...kinds].sort()).toEqual(
    Policy.unwrap()
      .options.map(({ shape }) => shape.type.value)
      .sort(),
  )
})
