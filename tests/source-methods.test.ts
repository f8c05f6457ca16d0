import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse } from './harness/evaluation.ts'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  type Team,
  trigger,
} from './harness/index.ts'
import { type ScriptedNode, startScriptedNode } from './nodes/scripted-node.ts'

/** Which methods an `rpc` provider may call through a data source: on save, in a test and in a live run. */

let node: ScriptedNode
/** Methods that an operator's node may serve to everyone who reaches it. */
const harmful = [
  'anvil_setBalance',
  'personal_unlockAccount',
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_accounts',
  'eth_subscribe',
  'eth_newFilter',
  'debug_traceTransaction',
  'admin_addPeer',
  'evm_mine',
  'hardhat_reset',
  'author_submitExtrinsic',
  'ETH_CHAINID',
  ' eth_chainId',
]
const called = () => node.methods.filter((method) => method === 'eth_getBalance' || harmful.includes(method))

beforeAll(async () => {
  const answers: Record<string, unknown> = { eth_chainId: '0x1', eth_blockNumber: '0x10' }
  node = await startScriptedNode(({ id, method }) => ({
    jsonrpc: '2.0',
    id,
    result: answers[method] ?? `did ${method}`,
  }))
})
beforeEach(() => void node.methods.splice(0))
afterAll(() => node.close())

describe('through the routes', () => {
  let house: Harness
  let team: Team
  let eve: Person
  const endpoints = () => [node.url]
  const spec = (name: string) => ({ type: 'evm_transaction' as const, dataSource: `acme.${name}` })
  const rpc = (method: string) => ({ id: 'call', type: 'rpc' as const, transport: 'source' as const, method })
  const tested = (who: Person, source: string, method: string, named: { project?: string; workspace?: string } = {}) =>
    who.testProvider({ body: { triggerSpec: spec(source), provider: rpc(method), ...named } })
  const saved = (who: Person, fullname: string, source: string, method: string) =>
    who.saveTrigger({
      fullname,
      body: trigger(fullname, { triggerSpec: spec(source), providers: [rpc(method)] }),
    })

  beforeAll(async () => {
    house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
    team = await house.team('acme')
    eve = await house.person('eve')
    await eve.saveWorkspace({ fullname: 'evil', body: { fullname: 'evil' } })
    await eve.saveProject({ fullname: 'evil.p', body: project('evil.p') })
    await team.owner.saveProject({ fullname: 'acme.p', body: project('acme.p', { accessLevel: 'public' }) })
    const source = { endpoints: endpoints(), public: true }
    await team.developer.saveCustomSource({ fullname: 'acme.plain', body: customSource('acme.plain', source) })
    const open = customSource('acme.open', { ...source, public: false, allowMethods: ['evm_mine'] })
    await team.developer.saveCustomSource({ fullname: 'acme.open', body: open })
  })
  afterAll(() => house.close())

  test('only reading methods reach the node', async () => {
    expect(await tested(eve, 'plain', 'eth_getBalance')).toMatchObject({ valid: true, result: 'did eth_getBalance' })
    for (const method of harmful)
      expect(await tested(team.developer, 'plain', method)).toMatchObject({
        valid: false,
        issues: [{ path: 'provider', message: expect.stringContaining('is not a reading method') }],
      })
    const chosen = { ...rpc('{{source.method}}') }
    const byItem = { triggerSpec: { ...spec('plain'), testInput: { method: 'evm_mine' } }, provider: chosen }
    expect(await eve.testProvider({ body: byItem })).toMatchObject({ valid: false })
    expect(called()).toEqual(['eth_getBalance'])
  })

  test('a save of such a trigger is refused with the path of the method', async () => {
    for (const method of ['evm_mine', '{{source.hash}}']) {
      const error = await rejects(saved(team.developer, 'acme.p.bad', 'plain', method), { code: 'invalid_payload' })
      expect(error.details).toMatchObject({ issues: [{ path: 'providers.0.method' }] })
    }
    await saved(team.developer, 'acme.p.good', 'plain', 'eth_getBalance')
    const patch = { set: { 'providers.0.method': 'evm_mine' } }
    await rejects(team.developer.patchTrigger({ fullname: 'acme.p.good', body: patch }), { code: 'invalid_payload' })
    const body = trigger('acme.p.good', { triggerSpec: spec('plain'), providers: [rpc('evm_mine')] })
    expect(await team.developer.validateTriggerDraft({ fullname: 'acme.p.good', body })).toMatchObject({
      valid: false,
      issues: [{ path: 'providers.0.method' }],
    })
  })

  test('allowMethods adds methods for the triggers of its workspace and the tests of its developers', async () => {
    await saved(team.developer, 'acme.p.mines', 'open', 'evm_mine')
    expect(await tested(team.developer, 'open', 'evm_mine')).toMatchObject({ valid: true })
    expect(await tested(team.developer, 'open', 'evm_mine', { project: 'acme.p' })).toMatchObject({ valid: true })
    expect(called()).toEqual(['evm_mine', 'evm_mine'])
  })

  test('allowMethods adds nothing for others', async () => {
    expect(await tested(team.user, 'open', 'evm_mine', { project: 'acme.p' })).toMatchObject({ valid: false })
    const open = { endpoints: endpoints(), public: true, allowMethods: ['evm_mine'], mode: 'update' as const }
    await team.developer.saveCustomSource({ fullname: 'acme.open', body: customSource('acme.open', open) })
    expect(await tested(eve, 'open', 'evm_mine')).toMatchObject({ valid: false })
    expect(await tested(eve, 'open', 'evm_mine', { project: 'acme.p' })).toMatchObject({ valid: false })
    await rejects(saved(eve, 'evil.p.mines', 'open', 'evm_mine'), { code: 'invalid_payload' })
    const { developer } = team
    await eve
      .getWorkspace({ fullname: 'evil' })
      .then(({ invite = '' }) => developer.joinWorkspace({ workspace: 'evil', body: { invite } }))
    expect(await tested(developer, 'open', 'evm_mine', { workspace: 'evil' })).toMatchObject({ valid: false })
    expect(called()).toEqual([])
  })

  test('only developers see allowMethods, a save without it clears it, and methods that subscribe are refused', async () => {
    const read = (who: Person) => who.getCustomSource({ fullname: 'acme.open' })
    expect(await read(team.developer)).toMatchObject({ allowMethods: ['evm_mine'] })
    expect(await read(team.user)).not.toHaveProperty('allowMethods')
    expect(await read(eve)).not.toHaveProperty('allowMethods')
    const save = (allowMethods?: string[]) =>
      team.developer.saveCustomSource({
        fullname: 'acme.open',
        body: customSource('acme.open', { mode: 'update', ...(allowMethods && { allowMethods }) }),
      })
    for (const names of [['eth_subscribe'], ['evm mine'], ['a', 'a'], Array.from({ length: 101 }, (_, n) => `m${n}`)])
      await rejects(save(names), { code: 'invalid_payload' })
    expect(await save()).not.toHaveProperty('allowMethods')
  })
})

describe('in live runs', () => {
  let house: EvaluationHouse
  beforeAll(async () => {
    house = await evaluationHouse()
    await house.query(
      `insert into workspaces (id, fullname, tags, labels, meta, invite, invite_hash, created_at, updated_at)
       values ('w2', 'other', '[]', '{}', '{}', '', '', now(), now())`,
    )
  })
  afterAll(() => house.close())

  test('a trigger that was saved earlier cannot call a method that its source does not allow', async () => {
    const { deps } = await house.start()
    const source = (workspaceId: string, name: string, allowMethods: string[]) =>
      deps.store.customSources.add(
        {
          ...{ workspaceId, name, fullname: `x.${name}`, kind: 'evm', public: true, endpoints: [node.url] },
          ...{ settings: { allowMethods }, meta: { title: name } },
        },
        { status: 'running', updatedAt: '2030-01-01T00:00:00.000Z' },
        house.clock.now(),
      )
    await source('w', 'own', ['evm_mine'])
    await source('w2', 'foreign', ['evm_mine'])
    const call = (method: string) => [{ id: 'call', type: 'rpc', transport: 'source', method, optional: true }]
    const transform = { rawSource: '({ got: providers.call })' }
    const block = { number: 7, hash: '0xa', timestampMs: 1_800_000_000_000, incarnation: 0 }
    const results: unknown[] = []
    for (const [name, source, method] of [
      ['mines', 'x.own', 'evm_mine'],
      ['unlocks', 'x.own', 'personal_unlockAccount'],
      ['foreign', 'x.foreign', 'evm_mine'],
      ['reads', 'x.foreign', 'eth_getBalance'],
    ] as const) {
      const id = await house.trigger(name, { providers: call(method), transform })
      await house.query('update triggers set data_source = $1 where id = $2', [source, id])
      await house.subscribe(id)
      await deps.listeners.refresh()
      await house.happen(deps.store, id, { block, source })
      await house.settled()
      results.push((await house.alerts()).find(({ trigger }) => trigger.endsWith(name))?.trace.raw)
    }
    expect(results).toEqual([{ got: 'did evm_mine' }, { got: null }, { got: null }, { got: 'did eth_getBalance' }])
    expect(called()).toEqual(['evm_mine', 'eth_getBalance'])
  })
})
