import { type Address, encodeErrorResult, keccak256, parseAbi, toBytes } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import { customSource, type Harness, harness, type Person, project, subscription, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { answer, anyEmitter, emission, payingTo } from './nodes/evm-contracts.ts'

/** The ready-made actions as triggers on real nodes, one of which has traces. */
let house: Harness
let ann: Person
const nodes: Record<string, EvmNode> = {}
const nodeOf = (source: string): EvmNode => {
  const node = nodes[source]
  if (!node) throw new Error(`no node of ${source}`)
  return node
}

beforeAll(async () => {
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  nodes['acme.traced'] = await startEvmNode({ traces: 'debug_traceBlockByHash' })
  nodes['acme.plain'] = await startEvmNode({ chainId: 31338 })
  for (const [fullname, node] of Object.entries(nodes)) {
    await ann.saveCustomSource({ fullname, body: customSource(fullname, { endpoints: [node.url] }) })
    await until(
      () => ann.getCustomSource({ fullname }),
      ({ status }) => status.status === 'running',
    )
  }
})
afterAll(async () => {
  await house.close()
  for (const node of Object.values(nodes)) await node.close()
})

/** A live trigger made of an action, as the console and the command make it. Answers its alerts. */
async function watch(type: string, dataSource: string, name: string, { spec = {}, inputs = {} } = {}) {
  const { actions } = await ann.listCoreActions()
  const action = actions.find((each) => each.type === type)
  if (!action?.triggerSpec) throw new Error(`no action ${type} on a source`)
  const { inputs: schema, providers, filtersSchema, outputSchema, transform, defaults } = action
  const triggerSpec = { ...action.triggerSpec, dataSource, ...spec }
  const fullname = `acme.p.${name}`
  const definition = { triggerSpec, inputs: schema, providers, filtersSchema, outputSchema, transform, defaults }
  await ann.saveTrigger({ fullname, body: trigger(fullname, definition) })
  const { id } = await ann.createSubscription({ body: subscription(fullname, { inputs }) })
  const alerts = async () => {
    const listed = await ann.listAlerts({ query: { subscription: id } })
    const whole = await Promise.all(listed.map((each) => ann.getAlert({ id: each.id })))
    return whole.toSorted((a, b) => (a.block?.number ?? 0) - (b.block?.number ?? 0))
  }
  return { fullname, alerts }
}

const bob = `0x${'b0'.repeat(20)}` as const
type Move = { from: string; to: string; value: string; internal: boolean }

test.each([
  ['acme.traced', 'told with those inside transactions, each once', ['1', '5', '5']],
  ['acme.plain', 'told without those inside transactions, and the status of the trigger says so', ['1', '5']],
])('native transfers on %s are %s', async (source, _, values) => {
  const node = nodeOf(source)
  const contract = (await node.deploy(payingTo(bob))).toLowerCase()
  const name = source.split('.')[1]
  const all = await watch('native_transfer', source, `coins-${name}`)
  const own = await watch('native_transfer', source, `own-${name}`, { inputs: { internal: false } })
  await node.send({ to: bob, value: '0x1' })
  await node.send({ to: contract, value: '0x5' })
  const alerts = await until(all.alerts, (found) => found.length >= values.length)
  const moves = alerts.map(({ output }) => output.raw as Move)
  expect(moves.map(({ value }) => value)).toEqual(values)
  const inside = { from: contract, to: bob, value: '5', internal: true }
  expect(moves.filter(({ internal }) => internal)).toMatchObject(source === 'acme.traced' ? [inside] : [])
  const ownMoves = (await until(own.alerts, (found) => found.length >= 2)).map(({ output }) => output.raw as Move)
  expect(ownMoves.map(({ value, internal }) => [value, internal])).toEqual([
    ['1', false],
    ['5', false],
  ])
  const { status } = await ann.getTrigger({ fullname: all.fullname })
  if (source === 'acme.traced') expect(status.status).toBe('ready')
  else
    expect(status).toMatchObject({
      ...{ status: 'warning', reasonCode: 'source.no_traces', source: 'dependency' },
      issue: expect.stringContaining('it sees only the calls that transactions make themselves'),
    })
})

test('every call of a contract means plain transfers to it too', async () => {
  const node = nodeOf('acme.plain')
  const contract = await node.deploy(answer('0x01'))
  const spec = { contract, method: undefined, abiFragment: undefined }
  const calls = await watch('function_called', 'acme.plain', 'calls', { spec })
  await node.send({ to: contract, value: '0x7' })
  await node.send({ to: contract, data: '0x12345678' })
  const [plain, called] = await until(calls.alerts, (found) => found.length >= 2)
  expect(plain?.output.raw).toMatchObject({ method: null, value: '7' })
  expect(plain?.message.title).toMatch(/^\S+ ?\S* sent to \S+$/)
  expect(plain?.message.short).toMatch(/^\S+ sent \S+ ?\S* to \S+$/)
  expect(called?.output.raw).toMatchObject({ method: '0x12345678', value: '0' })
  expect(called?.message.title).toMatch(/^0x12345678 called on 0x\w{4}…\w{4}$/)
})

test('who controls a contract: owners, roles, admins of roles, implementations and beacons, also those taken away', async () => {
  const node = nodeOf('acme.plain')
  const contract = await node.deploy(anyEmitter())
  const control = await watch('control_changed', 'acme.plain', 'control', { spec: { contract } })
  const word = `0x${'0'.repeat(24)}${'11'.repeat(20)}`
  const events = [
    ['OwnershipTransferStarted(address,address)', 2],
    ['OwnershipTransferred(address,address)', 2],
    ['Upgraded(address)', 1],
    ['BeaconUpgraded(address)', 1],
    ['RoleGranted(bytes32,address,address)', 3],
    ['RoleRevoked(bytes32,address,address)', 3],
    ['RoleAdminChanged(bytes32,bytes32,bytes32)', 3],
  ] as const
  for (const [signature, indexed] of events) {
    const topics = [keccak256(toBytes(signature)), ...Array.from({ length: indexed }, () => word)]
    await node.send({ to: contract, data: emission(topics, '0x') })
  }
  const admin = emission([keccak256(toBytes('AdminChanged(address,address)'))], `${word}${word.slice(2)}`)
  await node.send({ to: contract, data: admin })
  const alerts = await until(control.alerts, (found) => found.length >= events.length + 1)
  expect(alerts.map(({ output }) => (output.raw as { event: string }).event)).toEqual([
    ...events.map(([signature]) => signature.split('(')[0]),
    'AdminChanged',
  ])
  expect(new Set(alerts.map(({ severity }) => severity))).toEqual(new Set(['critical']))
})

test.each(['acme.traced', 'acme.plain'])(
  'a failed call on %s says why it failed: the reason, or the error of the contract by its name',
  async (source) => {
    const node = nodeOf(source)
    const name = source.split('.')[1]
    const text = encodeErrorResult({ abi: parseAbi(['error Error(string reason)']), args: ['Vault: limit reached'] })
    const denied = encodeErrorResult({
      abi: parseAbi(['error OwnableUnauthorizedAccount(address)']),
      args: [bob as Address],
    })
    const [limited, owned] = [await node.deploy(answer(text, 'REVERT')), await node.deploy(answer(denied, 'REVERT'))]
    const contract = [limited, owned]
    const internal = source === 'acme.traced'
    const spec = { contract, method: undefined, abiFragment: undefined, success: false, internal }
    const failed = await watch('function_called', source, `failed-${name}`, { spec })
    for (const to of contract) await node.send({ to, data: '0xb460af94' })
    const alerts = await until(failed.alerts, (found) => found.length >= 2)
    const [first, second] = alerts
    expect(first?.item).toMatchObject({ error: { reason: 'Vault: limit reached' } })
    expect(first?.message.title).toMatch(/^Failed: withdraw called on /)
    expect(first?.message.short).toMatch(/called withdraw on .*\. It failed: Vault: limit reached$/)
    expect(second?.item).toMatchObject({ error: { name: 'OwnableUnauthorizedAccount', args: [bob] } })
    expect(second?.message.short).toContain(`OwnableUnauthorizedAccount(${bob})`)
  },
)

test('every action says what it cannot see', async () => {
  const { actions } = await ann.listCoreActions()
  for (const { notSeen } of actions) for (const sentence of notSeen) expect(sentence).toMatch(/^[A-Z].*\.$/)
})
