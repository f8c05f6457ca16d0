import { base58 } from '@scure/base'
import type { Condition, Policy, SourceBinding, TriggerSpec } from '@tocsin/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionsOn, makeTally, type Tally, testedInputs } from '../../../../tests/harness/conditions.ts'
import { type LinearMatch, linearMatch } from '../../../../tests/harness/linear-match/index.ts'
import { propertyRuns } from '../../../../tests/harness/property-runs.ts'
import type { SourceItem } from '../../engine/base/source-item.ts'
import { compileEarlyFilter, compileEarlyTriggerFilter } from '../../engine/conditions/trigger-conditions.ts'
import type { ChainBlock } from '../../engine/sources/block.ts'
import type { Chain } from '../../engine/sources/chain.ts'
import { EvmContents, type EvmLog, type EvmTransaction } from '../../engine/sources/evm/contents.ts'
import { evm } from '../../engine/sources/evm/index.ts'
import type { RawLog } from '../../engine/sources/evm/match-keys.ts'
import { prepareOneTrigger } from '../../engine/sources/one-trigger.ts'
import { SolanaContents } from '../../engine/sources/solana/contents.ts'
import { solana } from '../../engine/sources/solana/index.ts'
import { type SubstrateCall, SubstrateContents, type SubstrateEvent } from '../../engine/sources/substrate/contents.ts'
import { substrate } from '../../engine/sources/substrate/index.ts'
import { matchBlock } from '../follow/match-block.ts'
import type { Listener, RegisteredTrigger } from './live-trigger.ts'
import { SourceIndex } from './source-index.ts'

type Scalar = string | number | boolean | null
/** One chain: its specs, its blocks, and the paths and values that conditions use. */
type Kind = {
  chain: Chain
  specs: fc.Arbitrary<TriggerSpec>
  blocks: fc.Arbitrary<ChainBlock>
  paths: readonly string[]
  values: readonly Scalar[]
}
type Asked = { conditions: Condition | null; policy: Policy }
type Wanted = {
  spec: TriggerSpec
  /** Of the trigger. */
  conditions?: Condition | null
  bindings?: SourceBinding[] | undefined
  isOrdered: boolean
  hasDependents: boolean
  listeners: Asked[]
}
/** What the spec matches without an index, for each binding. */
type Fed = RegisteredTrigger & { spec: TriggerSpec; bound: { match: LinearMatch; binding?: SourceBinding }[] }

const dataSource = 'common.x'
const network = 'eip155:7'
/** Two bindings on one source: an item matches both, and their values change what the conditions compare with. */
const bindings: SourceBinding[] = [
  { id: 'b', dataSource, values: { text: '1', missing: 'b' } },
  { id: '1', dataSource },
]
const seldom = fc.constantFrom(false, false, false, false, true)

/** Compares the index with a linear evaluation of every spec on every block, while triggers and listeners change. */
async function agrees({ chain, specs, blocks, ...kind }: Kind): Promise<void> {
  const paths = [...kind.paths, 'binding', 'network']
  const values = [...kind.values, 'b', network]
  const filtersSchema = Object.fromEntries([
    ...paths.map((sourcePath) => [sourcePath, { type: 'string', sourcePath }]),
    ...paths.map((sourcePath) => [`${sourcePath} units`, { type: 'balance', decimals: 1, sourcePath }]),
    ['later', 'string'],
  ])
  const conditions = fc.option(conditionsOn(Object.keys(filtersSchema), values), { freq: 8 })
  const policy = seldom.map((isMonitor): Policy => (isMonitor ? { type: 'monitor' } : null))
  const listeners = fc.array(fc.record({ conditions, policy }), { maxLength: 4 })
  const runParams = [...paths.map((path) => `source.${path}`), 'inputs.text', 'inputs.missing', 'providers.price.usd']
  const ofTrigger = fc.option(conditionsOn(runParams, values), { freq: 2 })
  const bound = fc.constantFrom(undefined, undefined, bindings)
  const wanted = fc.record({
    ...{ spec: specs, bindings: bound, conditions: ofTrigger, isOrdered: seldom, hasDependents: seldom, listeners },
  })
  const given = fc.record({
    triggers: fc.array(wanted, { minLength: 1, maxLength: 5 }),
    blocks: fc.array(blocks, { minLength: 1, maxLength: 2 }),
    gone: fc.array(fc.nat(4), { maxLength: 3 }),
    deaf: fc.array(fc.nat(4), { maxLength: 3 }),
  })
  const tally = makeTally()
  await fc.assert(
    fc.asyncProperty(given, async ({ triggers, blocks, gone, deaf }) => {
      const all = await Promise.all(triggers.map((one, at) => live(chain, one, at, filtersSchema)))
      const index = new SourceIndex(dataSource)
      index.network = network
      const expectAll = (left: Fed[]) => {
        for (const block of blocks)
          expect(found(chain, index, block)).toEqual(linear(left, block, { filtersSchema, tally }))
      }
      for (const one of all) index.addTrigger(one)
      expectAll(all)
      for (const at of gone) if (all[at]) index.removeTrigger(all[at])
      expectAll(all.filter((_, at) => !gone.includes(at)))
      for (const at of new Set(gone)) if (all[at]) index.addTrigger(all[at])
      for (const trigger of all) for (const at of deaf) dropListener(index, trigger, at)
      expectAll(all)
      for (const one of all) index.removeTrigger(one)
      expect(index.isEmpty).toBe(true)
      expectAll([])
      for (const one of all) for (const block of blocks) await expectTriedOut(chain, one, block)
    }),
    { numRuns: propertyRuns(250) },
  )
  expect(tally.met / tally.asked).toBeGreaterThan(0.1)
  expect(tally.met / tally.asked).toBeLessThan(0.9)
}

/** A try-out finds all items of the spec, in the order of the chain, whatever the conditions are. */
async function expectTriedOut(chain: Chain, { spec, bound }: Fed, block: ChainBlock): Promise<void> {
  for (const { match, binding } of bound) {
    const fields = binding && { binding: binding.id, network }
    const tried = await prepareOneTrigger(chain, spec, fields)
    expect(tried.match(block)).toEqual(match(block).map((item) => ({ ...item, ...fields })))
  }
}

function dropListener(index: SourceIndex, trigger: Fed, at: number): void {
  const listener = [...trigger.listeners.values()][at]
  if (!listener) return
  index.removeListener(trigger, listener)
  trigger.listeners.delete(listener.key)
}

async function live(chain: Chain, wanted: Wanted, at: number, filtersSchema: object): Promise<Fed> {
  const { spec, conditions, isOrdered, hasDependents } = wanted
  const [items, match] = [await chain.items.prepare(spec), await linearMatch(spec)]
  const listeners = wanted.listeners.map((asked, rule) => listenerOf(`t${at}`, rule, asked))
  const named = { id: `t${at}`, fullname: `acme.p.t${at}`, project: 'acme.p', projectId: 'p', workspaceId: 'w' }
  return {
    ...{
      ...named,
      version: 1,
      title: 'T',
      dataSource,
      sources: [dataSource],
      isPublic: true,
      since: 0,
      isOrdered,
      hasDependents,
    },
    definition: { filtersSchema } as RegisteredTrigger['definition'],
    runnable: { providers: [], activation: null, conditions, transform: null, executionPolicy: null },
    listeners: new Map(listeners.map((one) => [one.key, one])),
    feed: {
      kind: 'source',
      sources: (wanted.bindings ?? [undefined]).map((binding) => ({ source: dataSource, items, binding })),
    },
    spec,
    bound: (wanted.bindings ?? [undefined]).map((binding) => ({ match, binding })),
  }
}

/** The rules of all triggers belong to one subscription; the author of a template may choose any ids. */
function listenerOf(trigger: string, rule: number, { conditions, policy }: Asked): Listener {
  const ruleId = `${trigger}${['', '#1', '#2', ' 1'][rule]}`
  return {
    ...{ key: `sub:${ruleId}`, subscriptionId: 'sub', ruleId, triggerId: trigger, accountId: 'a', workspaceId: 'w' },
    ...{ projectId: 'p', inputs: testedInputs, conditions, policy, overrides: {}, resources: [] },
    delivery: { mode: 'continuous' },
  }
}

const text = (trigger: string, who: string, item: SourceItem) => `${trigger} ${who} ${JSON.stringify(item)}`

/** Matches as the follow loop does; each match of a trigger with dependents is also a run for them. */
function found(chain: Chain, index: SourceIndex, block: ChainBlock): string[] {
  const all: string[] = []
  for (const { trigger, matches } of matchBlock(block, chain.items, index))
    for (const { item, listeners } of matches) {
      if (trigger.hasDependents) all.push(text(trigger.id, 'stream', item))
      all.push(...listeners.map((key) => text(trigger.id, key, item)))
    }
  return all.sort()
}

type Plainly = { filtersSchema: Record<string, unknown>; tally: Tally }

function linear(triggers: Fed[], block: ChainBlock, { filtersSchema, tally }: Plainly): string[] {
  const all: string[] = []
  for (const { id, binding, item, isOrdered, hasDependents, listeners, runnable } of triggers.flatMap(itemsOf(block))) {
    const isOfTrigger = (inputs: object) =>
      isOrdered || compileEarlyTriggerFilter(runnable.conditions, { ...inputs, ...binding?.values })(item)
    let isMatched = hasDependents && isOfTrigger({})
    for (const { key, conditions, policy } of listeners.values()) {
      const inputs = { ...testedInputs, ...binding?.values }
      const meets = compileEarlyFilter(conditions, { filtersSchema, inputs })
      const isMet = isOrdered || (isOfTrigger(testedInputs) && (policy?.type === 'monitor' || meets(item)))
      if (isMet) all.push(text(id, key, item))
      isMatched ||= isMet
      tally.asked++
      tally.met += Number(isMet)
    }
    if (hasDependents && isMatched) all.push(text(id, 'stream', item))
  }
  return all.sort()
}

function itemsOf(block: ChainBlock) {
  return (trigger: Fed) =>
    trigger.bound.flatMap(({ match, binding }) =>
      match(block).map((item) => ({
        ...trigger,
        binding,
        item: binding ? { ...item, binding: binding.id, network } : item,
      })),
    )
}

const hex = (digits: string, length: number) => `0x${digits.padStart(length, '0')}`
const wallets = ['1a', '2b'].map((digits) => hex(digits, 40))
const contracts = ['8c', '9d'].map((digits) => hex(digits, 40))
const amounts = [0n, 1n, 5n, 2n ** 64n, 2n ** 64n + 1n]
const blockOf = (contents: unknown): ChainBlock => ({ number: 18, hash: '0xb', parentHash: '0xa', contents })

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const people = 'address indexed from, address indexed to'
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const topicOf = (wallet: string) => hex(wallet.slice(2), 64)

const logs = fc
  .record({
    address: fc.constantFrom(...contracts),
    from: fc.constantFrom(...wallets),
    to: fc.constantFrom(...wallets),
    amount: fc.constantFrom(...amounts),
    isToken: fc.boolean(),
  })
  .map(
    ({ address, from, to, amount, isToken }): Omit<EvmLog, 'index'> => ({
      address,
      topics: [transfer, topicOf(from), topicOf(to), ...(isToken ? [`0x${word(amount)}`] : [])],
      data: isToken ? '0x' : `0x${word(amount)}`,
      ...{ transactionHash: hex('77', 64), transactionIndex: 1 },
    }),
  )
const transactions = fc
  .record({
    from: fc.constantFrom(...wallets),
    to: fc.constantFrom(...contracts, null),
    input: fc.oneof(
      fc.constantFrom('0x', '0xa9059cbb00', '0xA9'),
      fc
        .tuple(fc.constantFrom(...wallets), fc.constantFrom(...amounts))
        .map(([to, amount]) => `0xa9059cbb${topicOf(to).slice(2)}${word(amount)}`),
    ),
    value: fc.constantFrom(...amounts.map(String)),
    status: fc.constantFrom(0, 1, null),
    type: fc.constantFrom(0, 2),
  })
  .map(
    (fields): Omit<EvmTransaction, 'index' | 'hash'> => ({
      ...fields,
      nonce: 5,
      gasLimit: 21_000,
      gasPrice: '1',
      receipt: null,
    }),
  )

const header = {
  ...{ transactionsCount: 1, gasLimit: 100, gasUsed: 0, baseFeePerGas: null, blobGasUsed: null, excessBlobGas: null },
  miner: hex('5', 40),
}

test('EVM logs, transactions, calls and blocks: the index finds what a linear evaluation finds', () =>
  agrees({
    chain: evm,
    specs: fc.oneof(
      fc
        .record({
          contract: fc.constantFrom(undefined, ...contracts.map((each) => each.toUpperCase().replace('X', 'x'))),
          abiFragment: fc.constantFrom<string | string[] | undefined>(
            undefined,
            `event Transfer(${people}, uint256 value)`,
            `event Transfer(${people}, uint256 indexed value)`,
            [`event Transfer(${people}, uint256 value)`, `event Transfer(${people}, uint256 indexed value)`],
          ),
          dataBytes: fc.constantFrom(undefined, undefined, 32),
        })
        .map((spec): TriggerSpec => ({ type: 'evm_log', dataSource, ...spec })),
      fc.constant<TriggerSpec>({ type: 'evm_transaction', dataSource }),
      fc
        .record({
          contract: fc.constantFrom<string | string[] | undefined>(undefined, contracts[0], contracts),
          called: fc.constantFrom<object>(
            ...[{}, { method: '0xa9059cbb' }, { method: 'transfer(address to, uint256 value)' }],
            { abiFragment: ['function transfer(address to, uint256)', 'function pause()'] },
          ),
          success: fc.constantFrom(undefined, true, false, 'any' as const),
        })
        .map(({ called, ...spec }): TriggerSpec => ({ type: 'evm_call', dataSource, ...spec, ...called })),
      fc.constantFrom(undefined, 1, 9, 18, 7).map((every): TriggerSpec => ({ type: 'evm_block', dataSource, every })),
    ),
    blocks: fc
      .record({
        logs: fc.array(logs, { maxLength: 4 }),
        transactions: fc.array(transactions, { maxLength: 4 }),
        gasUsed: fc.constantFrom(0, 5, 18),
      })
      .map(({ logs, transactions, gasUsed }) => {
        const numbered = logs.map((log, index) => ({ ...log, index }))
        const hashed = transactions.map((one, index) => ({ ...one, index, hash: hex(`${index}c`, 64) }))
        return blockOf(
          new EvmContents(1_700_000_000, { header: { ...header, gasUsed }, logs: numbered, transactions: hashed }),
        )
      }),
    paths: [
      'params.from',
      'params.to',
      'params.value',
      'args[2]',
      'topics[3]',
      'address',
      'from',
      'to',
      'value',
      'gasUsed',
      'success',
      'depth',
      'method',
      'number',
    ].concat(['methodId', 'status', 'type', 'nonce', 'input', 'block.number', 'blockNumber', 'topics', 'event']),
    values: [
      ...[...wallets, ...contracts].flatMap((each) => [each, each.toUpperCase()]),
      ...amounts.map(String),
      ...['0.5', '0.1', '0xa9059cbb', '0XA9059CBB', `0x${word(5n)}`, 'transfer', 0, 1, 2, 5, 18, null, null],
    ],
  }))

const names = { pallet: ['Balances', 'balances', 'System'], event: ['Transfer', 'transfer', 'Deposit'] }
const holders = ['5Gx', '5gX', '13Ab']
const events = fc
  .record({
    pallet: fc.constantFrom(...names.pallet),
    event: fc.constantFrom(...names.event),
    extrinsic: fc.constantFrom(null, 0, 1),
    params: fc.record(
      {
        who: fc.constantFrom<unknown>(...holders, { Id: '5Gx' }),
        amount: fc.constantFrom<unknown>(...amounts.map(String), 5),
        list: fc.constantFrom<unknown>([], ['5Gx'], [{ x: '1' }]),
      },
      { requiredKeys: ['who'] },
    ),
  })
  .map((fields) => ({ ...fields, phase: 'ApplyExtrinsic', args: Object.values(fields.params) }))

test('Substrate events: the index finds what a linear evaluation finds', () =>
  agrees({
    chain: substrate,
    specs: fc
      .record({
        pallet: fc.constantFrom(undefined, ...names.pallet),
        event: fc.constantFrom(undefined, ...names.event),
      })
      .map((spec): TriggerSpec => ({ type: 'substrate_event', dataSource, ...spec })),
    blocks: fc.array(events, { maxLength: 6 }).map((list) => {
      const block = { number: 18, hash: '0xb', timestamp: 1 }
      return blockOf(new SubstrateContents(list.map((one, index): SubstrateEvent => ({ ...one, block, index }))))
    }),
    paths: ['params.who', 'params.who.Id', 'params.amount', 'params.list', 'args[0]', 'args.1', 'pallet', 'extrinsic'],
    values: [...holders, ...amounts.map(String), '0.5', 'balances', 0, 1, 5, null, null],
  }))

const calls = fc.record({
  pallet: fc.constantFrom(...names.pallet),
  call: fc.constantFrom('transfer_all', 'remark'),
  sender: fc.constantFrom(null, ...holders),
  nonce: fc.constantFrom(null, 0, 5),
  path: fc.constantFrom('0', '0.0', '0.1.0'),
  success: fc.boolean(),
  params: fc.record({
    who: fc.constantFrom<unknown>(...holders),
    amount: fc.constantFrom<unknown>(...amounts.map(String)),
  }),
})

test('Substrate calls and blocks: the index finds what a linear evaluation finds', () =>
  agrees({
    chain: substrate,
    specs: fc.oneof(
      fc.constantFrom(undefined, 1, 9, 7).map((every): TriggerSpec => ({ type: 'substrate_block', dataSource, every })),
      fc
        .record({
          pallet: fc.constantFrom(undefined, ...names.pallet),
          call: fc.constantFrom(undefined, 'transferAll', 'transfer_all', 'remark'),
          nested: fc.constantFrom(undefined, true, false),
          success: fc.constantFrom<boolean | 'any' | undefined>(undefined, true, false, 'any'),
        })
        .map((spec): TriggerSpec => ({ type: 'substrate_call', dataSource, ...spec })),
    ),
    blocks: fc
      .record({ list: fc.array(calls, { maxLength: 6 }), author: fc.constantFrom(...holders) })
      .map(({ list, author }) => {
        const block = { number: 18, hash: '0xb', timestamp: 1 }
        const made = list.map((one, index): SubstrateCall => {
          return { ...one, block, index, hash: `0x${index}`, args: Object.values(one.params) }
        })
        return blockOf(
          new SubstrateContents([], { calls: made, header: { stateRoot: '0x1', extrinsicsRoot: '0x2', author } }),
        )
      }),
    paths: [
      'params.who',
      'params.amount',
      'args[0]',
      'sender',
      'nonce',
      'success',
      'path',
      'pallet',
      'call',
      'index',
      'author',
    ],
    values: [...holders, ...amounts.map(String), '0.5', 'remark', '0', 0, 1, 5, true, false, null],
  }))

const programs = [1, 2].map((byte) => base58.encode(new Uint8Array(32).fill(byte)))
const field = (name: string, type: unknown) => ({ name, type })
const shape = {
  kind: 'struct',
  fields: [field('mint', 'pubkey'), field('amount', 'u64'), field('list', { vec: 'u8' })],
}
/** Discriminators: as long as Anchor's, a prefix of that one, longer than a whole lookup key, and empty. */
const discriminators = { moved: [1, 2, 3, 4, 5, 6, 7, 8], short: [1, 2], long: Array(20).fill(9), bare: [] }
const known = ['moved', 'short', 'long'] as const
const idl = {
  address: programs[0],
  metadata: { name: 'x', version: '0.1.0', spec: '0.1.0' },
  instructions: (['moved', 'bare'] as const).map((name) => ({
    name: `do_${name}`,
    discriminator: discriminators[name],
    accounts: [{ name: 'owner' }],
    args: shape.fields,
  })),
  events: known.map((name) => ({ name, discriminator: discriminators[name] })),
  types: known.map((name) => ({ name, type: shape })),
}
const emitted = fc
  .record({
    program: fc.constantFrom(...programs),
    name: fc.constantFrom('moved', 'short', 'long', 'bare'),
    mint: fc.constantFrom(1, 2),
    amount: fc.constantFrom(...amounts.map((each) => each % 2n ** 64n)),
    list: fc.constantFrom([], [5], [1, 5]),
    isCut: seldom,
    isInstruction: fc.boolean(),
    isFailed: seldom,
    isInner: fc.boolean(),
  })
  .map(({ program, name, mint, amount, list, isCut, isInstruction, isFailed, isInner }) => {
    const numbers = Buffer.alloc(12)
    numbers.writeBigUInt64LE(amount)
    numbers.writeUInt32LE(list.length, 8)
    const whole = Buffer.from([
      ...discriminators[name as keyof typeof discriminators],
      ...Array(32).fill(mint),
      ...numbers,
      ...list,
    ])
    const data = isCut ? whole.subarray(0, -9) : whole
    const logs = [
      `Program ${program} invoke [1]`,
      `Program data: ${data.toString('base64')}`,
      `Program ${program} success`,
    ]
    const instruction = {
      position: 0,
      programId: program,
      accounts: [0],
      data: isInstruction ? base58.encode(data) : '',
    }
    const error = isFailed ? { InstructionError: [0, 'Custom'] } : null
    const accountKeys = [programs[0]!]
    const instructions = [{ ...instruction, path: isInner ? '0.1' : '0' }]
    return { error, accountKeys, signers: accountKeys, instructions, logs: isInstruction ? [] : logs }
  })

const instructionSpecs = fc
  .record({
    programId: fc.constantFrom(undefined, ...programs),
    inner: fc.constantFrom(undefined, true, false),
    named: fc.constantFrom<object>(
      ...[{}, { instruction: 'moved' }, { idl }, { idl, instruction: 'doMoved' }, { idl, instruction: 'do_bare' }],
    ),
  })
  .map(({ named, ...spec }): TriggerSpec => ({ type: 'solana_instruction', dataSource, ...spec, ...named }))

test('Solana events and instructions: the index finds what a linear evaluation finds', () =>
  agrees({
    chain: solana,
    specs: fc.oneof(
      instructionSpecs,
      fc
        .record({
          programId: fc.constantFrom(undefined, ...programs),
          named: fc.constantFrom<object>(
            ...[
              {},
              { event: 'moved' },
              { idl },
              { idl, event: 'moved' },
              { idl, event: 'short' },
              { idl, event: 'long' },
            ],
            ...[
              { idl, event: 'do_moved' },
              { idl, event: 'do_bare' },
            ],
          ),
        })
        .map(({ programId, named }): TriggerSpec => ({ type: 'solana_event', dataSource, programId, ...named })),
    ),
    blocks: fc.array(emitted, { maxLength: 5 }).map((list) => {
      const numbered = list.map((one, index) => ({ ...one, index, signature: `s${index}` }))
      return blockOf(new SolanaContents(1_700_000_000, numbered))
    }),
    paths: ['params.mint', 'params.amount', 'params.list', 'params.list[0]', 'params.owner', 'params.data', 'programId']
      .concat(['event', 'transaction.success', 'transaction.error', 'index'])
      .concat([
        'instruction',
        'inner',
        'path',
        'args.mint',
        'args.amount',
        'accounts.owner',
        'accountsRaw[0]',
        'signers[0]',
      ]),
    values: [
      ...programs.flatMap((each) => [each, each.toLowerCase()]),
      ...amounts.map((each) => String(each % 2n ** 64n)),
      ...['0.5', 'moved', 'SHORT', 'do_moved', 0, 1, 5, true, false, null, null],
    ],
  }))

test('equal Solana specs share one decoder, so that none outlives its items', async () => {
  const spec: TriggerSpec = { type: 'solana_event', dataSource, idl, event: 'moved' }
  const one = await solana.items.prepare(spec)
  expect(await solana.items.prepare({ ...spec })).toBe(one)
  expect(await solana.items.prepare({ ...spec, event: 'short' })).not.toBe(one)
  const instruction: TriggerSpec = { type: 'solana_instruction', dataSource, idl, instruction: 'do_moved' }
  const other = await solana.items.prepare(instruction)
  expect(await solana.items.prepare({ ...instruction, dataSource: 'common.y' })).toBe(other)
  expect(await solana.items.prepare({ ...instruction, inner: false })).not.toBe(other)
})

test('a source reads only the logs of named contracts while every trigger on logs names one', async () => {
  const index = new SourceIndex(dataSource)
  const contracts = [`0x${'Aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
  const add = async (spec: TriggerSpec, at: number) => {
    const wanted = { spec, isOrdered: false, hasDependents: false, listeners: [] }
    const trigger = await live(evm, wanted, at, {})
    index.addTrigger(trigger)
    return trigger
  }
  await add({ type: 'evm_transaction', dataSource }, 0)
  expect(index.wanted).toEqual({ parts: ['transactions'] })
  for (const [at, contract] of contracts.entries()) await add({ type: 'evm_log', dataSource, contract }, at + 1)
  const both = { parts: ['transactions', 'logs'], addresses: contracts.map((each) => each.toLowerCase()) }
  expect(index.wanted).toEqual(both)
  const any = await add({ type: 'evm_log', dataSource }, 3)
  expect(index.wanted).toEqual({ parts: both.parts })
  index.removeTrigger(any)
  expect(index.wanted).toEqual(both)
})

test('only the types of items that a trigger is on are listed and looked up', async () => {
  const index = new SourceIndex(dataSource)
  const listeners: Asked[] = [{ conditions: null, policy: null }]
  const wanted = { spec: { type: 'evm_call', dataSource } as const, isOrdered: false, hasDependents: false, listeners }
  const trigger = await live(evm, wanted, 0, {})
  const isWanted = (type: string) => index.hasItems(type)
  const sent: EvmTransaction = {
    ...{ index: 0, hash: '0xc', type: 2, from: '0x1', to: '0x2', nonce: 1, gasLimit: 1, gasPrice: '1' },
    ...{ input: '0x', value: '0', status: 1, receipt: null },
  }
  const contents = new EvmContents(1, { logs: [], transactions: [sent] })
  const block = { number: 1, hash: '0xb', parentHash: '0xa', contents }
  const listed = () => [...evm.items.list(block, [], isWanted)].map(({ type }) => type)
  expect(listed()).toEqual([])
  index.addTrigger(trigger)
  expect(listed()).toEqual(['evm_call'])
  index.removeTrigger(trigger)
  expect(listed()).toEqual([])
  expect([...evm.items.list(block, [])].map(({ type }) => type)).toEqual(['evm_transaction', 'evm_call'])
})

test('triggers on the same event are one group, so that an item is decoded once for all of them', async () => {
  const index = new SourceIndex(dataSource)
  const spec: TriggerSpec = { type: 'evm_log', dataSource, abiFragment: `event Transfer(${people}, uint256 value)` }
  const specs = [
    spec,
    { ...spec, contract: contracts[0] },
    { ...spec, abiFragment: `event Transfer(${people}, uint256)` },
  ]
  const listeners: Asked[] = [{ conditions: null, policy: null }]
  for (const [at, each] of specs.entries())
    index.addTrigger(await live(evm, { spec: each, isOrdered: false, hasDependents: false, listeners }, at, {}))
  const topics = [transfer, ...wallets.map(topicOf)]
  const groups = index.lookUp({ type: 'evm_log', address: contracts[0], topics, data: `0x${word(5n)}` } as RawLog)
  expect(groups.map(({ proven }) => proven.map(({ trigger }) => trigger.id).sort())).toEqual([['t0', 't1'], ['t2']])
  const readers = groups.map(({ proven }) => new Set(proven.map(({ reader }) => reader)))
  expect(readers).toEqual(groups.map(({ decoder }) => new Set([decoder])))
})

test('after a lookup that met the requirements, only the rest of the conditions is checked', async () => {
  const index = new SourceIndex(dataSource)
  const abiFragment = `event Transfer(${people}, uint256 value)`
  const filtersSchema = { value: { type: 'string', sourcePath: 'params.value' } }
  const isMore = { param: 'value', op: 'gt', value: '5' } as const
  const conditions: Condition = { all: [isMore, { not: { param: 'value', op: 'matches', value: '^7' } }] }
  const listeners: Asked[] = [{ conditions, policy: null }]
  const spec: TriggerSpec = { type: 'evm_log', dataSource, abiFragment }
  index.addTrigger(await live(evm, { spec, isOrdered: false, hasDependents: false, listeners }, 0, filtersSchema))
  const topics = [transfer, ...wallets.map(topicOf)]
  const lookUp = (value: bigint) =>
    index.lookUp({ type: 'evm_log', address: contracts[0], topics, data: `0x${word(value)}` } as RawLog)
  expect(lookUp(5n)).toEqual([])
  const [group] = lookUp(8n)
  expect([group?.proven.length, group?.narrowed.length, group?.candidates.length]).toEqual([0, 1, 0])
  const [entry] = group?.narrowed ?? []
  const passes = ['8', '70', '4'].map((value) => entry?.passesRest({ params: { value } }))
  expect(passes).toEqual([true, false, true])
  expect(entry?.passes({ params: { value: '4' } })).toBe(false)
})

test('a source of 200,000 triggers tells since when it is wanted', async () => {
  const index = new SourceIndex(dataSource)
  const wanted = { spec: { type: 'evm_transaction', dataSource } as const, isOrdered: false, hasDependents: false }
  const one = await live(evm, { ...wanted, listeners: [] }, 0, {})
  for (let at = 0; at < 200_000; at++) index.addTrigger({ ...one, since: 1_000_000 - at })
  expect(index.since).toBe(800_001)
})
