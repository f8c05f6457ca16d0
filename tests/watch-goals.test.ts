import { encodeAbiParameters, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setChains } from '../console/src/data/chains.ts'
import { goLive, nothingMade } from '../console/src/pages/watch/model/go-live.ts'
import { type Answers, type Kind, usualAnswers } from '../console/src/pages/watch/model/goal.ts'
import { goals } from '../console/src/pages/watch/model/goals/index.ts'
import { planWatches } from '../console/src/pages/watch/model/plan.ts'
import type { CoreAction, Source } from '../console/src/pages/watch/model/source.ts'
import { tryWatch } from '../console/src/pages/watch/model/try-watch.ts'
import { customSource, type Harness, harness, type Person, rejects } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { answers } from './nodes/evm-contracts.ts'

let house: Harness
let ann: Person
let sources: Source[]
let actions: CoreAction[]
beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  for (const kind of ['evm', 'substrate', 'solana'] as const) {
    const fullname = `acme.${kind}`
    const body = customSource(fullname, { kind, endpoints: ['http://127.0.0.1:9'], meta: { title: kind } })
    await ann.saveCustomSource({ fullname, body })
  }
  sources = await ann.listRuntimeSources()
  setChains((await ann.listChains()).chains)
  actions = (await ann.listCoreActions()).actions
})
afterAll(() => house?.close())

const evmAddress = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const subjects: Record<Kind, string> = {
  evm: evmAddress,
  substrate: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  solana: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
}

function answersOn(kind: Kind, given: Partial<Answers> = {}): Answers {
  const source = sources.find((one) => one.fullname === `acme.${kind}`)
  if (!source) throw new Error(`no source of kind ${kind}`)
  return {
    ...usualAnswers,
    source,
    subject: subjects[kind],
    token: kind === 'solana' ? subjects.solana : evmAddress,
    least: '1.5',
    bound: '2000',
    ...given,
  }
}

function planOf(goal: string, choice: string, kind: Kind = 'evm', given: Partial<Answers> = {}) {
  const asked = goals.find(({ name }) => name === goal)?.kinds[kind]
  const found = asked?.choices.find(({ value }) => value === choice)
  if (!found) throw new Error(`no choice ${choice} of ${goal}`)
  const named = asked?.subject.isName ? { subject: asked.subject.example } : {}
  return planWatches(found, answersOn(kind, { ...named, ...given }), actions)
}

const cases = goals.flatMap(({ name, kinds }) =>
  Object.entries(kinds).flatMap(([kind, { choices }]) =>
    choices.map(({ value }) => [name, value, kind as Kind] as const),
  ),
)

describe('every choice of every goal', () => {
  test.each(cases)('%s: %s on %s becomes a live subscription', async (goal, choice, kind) => {
    const watches = planOf(goal, choice, kind)
    const made = nothingMade()
    await goLive(ann, watches, { workspace: 'acme', resources: [] }, made)
    expect(made.subscriptions).toHaveLength(watches.length)
    for (const [at, id] of made.subscriptions.entries()) {
      const trigger = `${made.project}.${made.triggers[at]}`
      expect(await ann.getSubscription({ id })).toMatchObject({ trigger, status: 'active' })
      const { status, hasDraft, meta, providers, triggerSpec } = await ann.getTrigger({ fullname: trigger })
      expect(status.status).not.toBe('broken')
      // A timer has no network, so its providers name the one that was chosen.
      if (triggerSpec?.type === 'timer')
        expect(providers).toMatchObject(providers.map(() => ({ source: `acme.${kind}` })))
      expect([hasDraft, meta.title]).toEqual([false, watches[at]?.title])
    }
  })
})

test('a minimum is compared in whole tokens, with the decimals of the token that emits the event', () => {
  const [watch] = planOf('contract', 'transfers', 'evm', { least: '1000' })
  expect(watch?.trigger.triggerSpec).toMatchObject({ contract: evmAddress, dataSource: 'acme.evm' })
  expect(watch?.trigger.conditions).toEqual({
    all: [{ param: 'source.params.value', op: 'gte', value: { amount: '1000', token: '{{source.address}}' } }],
  })
})

test('without a minimum every transfer of the wallet counts, in both directions or in one', () => {
  const part = (direction: Answers['direction']) =>
    planOf('wallet', 'coin', 'evm', { direction, least: '' })[0]?.trigger.conditions
  const [from, to] = ['source.from', 'source.to'].map((param) => ({ param, op: 'eq', value: evmAddress }))
  expect(part('both')).toEqual({ all: [{ any: [from, to] }] })
  expect(part('in')).toEqual({ all: [to] })
  expect(part('out')).toEqual({ all: [from] })
})

test('after a failure the next call continues with the changed answers and creates nothing twice', async () => {
  await ann.saveWorkspace({ fullname: 'fresh', body: { fullname: 'fresh' } })
  const made = nothingMade()
  const broken = { workspace: 'fresh', resources: ['fresh.missing'] }
  await rejects(goLive(ann, planOf('wallet', 'all'), broken, made), { code: 'not_found' })
  expect(made).toMatchObject({ project: 'fresh.watches', triggers: ['0x742d-f44e-coin-transfers'], subscriptions: [] })

  const changed = planOf('wallet', 'all', 'evm', { direction: 'out' })
  await goLive(ann, changed, { workspace: 'fresh', resources: [] }, made)
  const triggers = await ann.listTriggers({ query: { workspace: 'fresh' } })
  expect(triggers.map(({ name }) => name)).toEqual(['0x742d-f44e-coin-transfers', '0x742d-f44e-token-transfers'])
  expect(triggers[0]).toMatchObject({ conditions: changed[0]?.trigger.conditions })
  expect(await ann.listProjects({ query: { workspace: 'fresh' } })).toHaveLength(1)
  expect(await ann.listSubscriptions({ query: { workspace: 'fresh' } })).toHaveLength(2)
})

test('a subscription whose answer was lost is found again', async () => {
  await ann.saveWorkspace({ fullname: 'again', body: { fullname: 'again' } })
  const made = nothingMade()
  const target = { workspace: 'again', resources: [] }
  await goLive(ann, planOf('balance', 'coin'), target, made)
  const first = made.subscriptions
  made.subscriptions = []
  await goLive(ann, planOf('balance', 'coin', 'evm', { bound: '7' }), target, made)
  expect(made.subscriptions).toEqual(first)
  expect((await ann.getSubscription({ id: first[0] ?? '' })).policy).toMatchObject({ below: '7' })
})

test('the same watch twice gets another name, and a public project is not used', async () => {
  await ann.saveWorkspace({ fullname: 'twice', body: { fullname: 'twice' } })
  const open = {
    name: 'open',
    fullname: 'twice.open',
    workspace: 'twice',
    public: true,
    accessLevel: 'public' as const,
  }
  await ann.saveProject({
    fullname: 'twice.open',
    body: { ...open, visibility: 'public', meta: { title: 'Open', description: '' } },
  })
  const made = [nothingMade(), nothingMade()]
  for (const one of made) await goLive(ann, planOf('wallet', 'nfts'), { workspace: 'twice', resources: [] }, one)
  expect(made.map(({ project }) => project)).toEqual(['twice.watches', 'twice.watches'])
  expect(made.map(({ triggers }) => triggers[0])).toEqual(['0x742d-f44e-nft-transfers', '0x742d-f44e-nft-transfers-2'])
})

describe('before it goes live a watch runs once on the chain', () => {
  let node: EvmNode
  beforeAll(async () => {
    node = await startEvmNode()
    const body = customSource('acme.live', { endpoints: [node.url] })
    await ann.saveCustomSource({ fullname: 'acme.live', body })
    await node.request('evm_mine')
  })
  afterAll(() => node?.close())

  const onNode = async (goal: string, choice: string, subject: string) => {
    const sources = await ann.listRuntimeSources()
    const source = sources.find(({ fullname }) => fullname === 'acme.live')
    const watches = planOf(goal, choice, 'evm', { subject, ...(source && { source }) })
    for (const watch of watches) await tryWatch(ann, watch)
  }

  test('an address without a price feed is refused with the reason, and a feed is not', async () => {
    await expect(onNode('price', 'bound', node.account)).rejects.toThrow(/failed\. .*has no latestRoundData\(\)/)
    const types = [...Array(5).keys()].map(() => ({ type: 'uint256' }))
    const round = encodeAbiParameters(types, [1n, 150_000_000_000n, 1n, 1_700_000_000n, 1n])
    const feed = await node.deploy(answers({ '0xfeaf968c': round, '0x313ce567': pad('0x08') }))
    await onNode('price', 'bound', feed)
  })

  test('an account whose balance can be read, and a contract without events, go live', async () => {
    await onNode('balance', 'coin', node.account)
    await onNode('contract', 'events', node.account)
  })

  test('a node that does not answer is told', async () => {
    const [watch] = planOf('wallet', 'coin')
    await expect(tryWatch(ann, watch!)).rejects.toThrow(/tried on the chain and failed\. .*127\.0\.0\.1:9/)
  })
})
