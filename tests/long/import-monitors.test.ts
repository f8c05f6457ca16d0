import { encodeFunctionData, pad, parseAbi, stringToHex, toEventSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWorkbench, type Workbench } from '../harness/cli.ts'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { type Harness, harness, type Person } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { echo, emitter } from '../nodes/evm-contracts.ts'

/** A configuration in the format of OpenZeppelin Monitor is imported, applied, and alerts on a real node as there. */
const events = [
  {
    type: 'event',
    name: 'Transfer',
    anonymous: false,
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
  { type: 'event', name: 'Named', anonymous: false, inputs: [{ name: 'name', type: 'string', indexed: false }] },
]
const transfer = 'function transfer(address to, uint256 amount)'
const functions = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [],
  },
]
const transferTopic = toEventSelector('Transfer(address,address,uint256)')
const [ann, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const
/** A variable of a message, as the tool writes it. */
const variable = (path: string) => `$\{${path}}`
const word = (value: bigint) => toHex(value, { size: 32 })

let house: Harness
let owner: Person
let node: EvmNode
let receiver: Receiver
let token: string
let other: string
let callee: string
let bench: Workbench
let report: { definition: string; outcome: string }[]

beforeAll(async () => {
  ;[house, node, receiver] = await Promise.all([
    harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' }),
    startEvmNode(),
    startReceiver(),
  ])
  token = await node.deploy(emitter(3))
  other = await node.deploy(emitter(1))
  callee = await node.deploy(echo)
  owner = await house.person('ann')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: owner.token })
  bench.write('tocsin.yaml', 'apiVersion: 1\nworkspace: acme\nstack: ported\n')
  writeConfiguration()
  const imported = await bench.inside('import', 'openzeppelin-monitor', 'config', '--json')
  report = JSON.parse(imported.out).report
  expect(await bench.inside('validate')).toMatchObject({ code: 0 })
  expect(await bench.inside('apply', '--yes')).toMatchObject({ code: 0 })
  expect(await bench.inside('plan')).toMatchObject({ code: 0 })
  await until(
    () => owner.getCustomSource({ fullname: 'acme.local-net' }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
})
afterAll(async () => {
  bench.remove()
  receiver.close()
  await house.close()
  await node.close()
})

function writeConfiguration(): void {
  const monitor = (name: string, conditions: object, extra: object = {}) => ({
    name,
    networks: ['local_net'],
    paused: false,
    addresses: [{ address: token, contract_spec: [...events, ...functions] }],
    match_conditions: { functions: [], events: [], transactions: [], ...conditions },
    trigger_conditions: [],
    triggers: ['hook'],
    ...extra,
  })
  const large = { signature: 'Transfer(address, address, uint256)', expression: `value > 1000 AND to != '${bob}'` }
  const files = {
    'networks/local.json': {
      ...{ network_type: 'EVM', slug: 'local_net', name: 'Local', chain_id: 31337, confirmation_blocks: 0 },
      rpc_urls: [{ type_: 'rpc', url: { type: 'plain', value: node.url }, weight: 100 }],
    },
    'networks/stellar.json': { network_type: 'Stellar', slug: 'stellar', name: 'Stellar', rpc_urls: [] },
    'triggers/channels.json': {
      hook: {
        name: 'Hook',
        trigger_type: 'webhook',
        config: {
          url: { type: 'plain', value: receiver.url },
          headers: { 'X-Team': 'ops' },
          message: {
            title: `${variable('monitor.name')} triggered`,
            body: `${variable('events.0.args.value')}${variable('functions.0.args.amount')} from ${variable('transaction.from')} in ${variable('transaction.hash')}`,
          },
        },
      },
      script: { name: 'Script', trigger_type: 'script', config: { language: 'Bash', script_path: './x.sh' } },
    },
    'monitors/large.json': monitor('Large transfer', { events: [large] }),
    'monitors/named.json': monitor(
      'Named like',
      { events: [{ signature: 'Named(string)', expression: "name starts_with 'OPS'" }] },
      { addresses: [{ address: other, contract_spec: events }] },
    ),
    'monitors/called.json': monitor(
      'Called with value',
      {
        functions: [{ signature: 'transfer(address,uint256)', expression: 'amount >= 5' }],
        transactions: [{ status: 'Success', expression: 'value > 7' }],
      },
      { addresses: [{ address: callee, contract_spec: functions }] },
    ),
    'monitors/stellar.json': monitor('On Stellar', { events: [large] }, { networks: ['stellar'] }),
    'monitors/paused.json': monitor('Paused', { events: [large] }, { paused: true }),
    'monitors/unknown.json': monitor('Unknown event', { events: [{ signature: 'Missing(uint256)' }] }),
    'monitors/broken.json': monitor('Broken', { events: [{ ...large, expression: 'value >' }] }),
  }
  for (const [path, value] of Object.entries(files)) bench.write(`config/${path}`, JSON.stringify(value))
}

test('the report has a line for each definition', () => {
  expect(Object.fromEntries(report.map(({ definition, outcome }) => [definition, outcome]))).toEqual({
    'network local_net': 'exact',
    'network stellar': 'not possible: Tocsin does not follow Stellar',
    'channel hook': 'exact',
    'channel script': 'not possible: Tocsin runs no script of the operator; use a webhook',
    'monitor Large transfer': 'exact',
    'monitor Named like': 'exact',
    'monitor Called with value': 'exact',
    'monitor On Stellar': 'not possible: no network of it can be followed: stellar',
    'monitor Paused': 'changed: it is paused, so it has no subscription',
    'monitor Unknown event': 'not possible: no contract_spec has its events or functions, so it never matches',
    'monitor Broken': 'not possible: an expression cannot be read: expected a value at character 8',
  })
})

test('each monitor alerts for what it matched before, once for a transaction, with its own message', async () => {
  const emit = (to: string, ...words: string[]) =>
    node.send({ to, data: `0x${words.map((each) => each.slice(2)).join('')}` })
  await emit(token, transferTopic, pad(ann), pad(ann), word(1000n))
  await emit(token, transferTopic, pad(ann), pad(bob), word(5000n))
  const large = await emit(token, transferTopic, pad(ann), pad(ann), word(5001n))
  const text = (value: string) => [word(32n), word(BigInt(value.length)), stringToHex(value, { size: 32 })]
  await emit(other, toEventSelector('Named(string)'), ...text('sales'))
  const named = await emit(other, toEventSelector('Named(string)'), ...text('ops team'))
  const call = encodeFunctionData({ abi: parseAbi([transfer]), args: [ann, 5n] })
  await node.send({ to: callee, data: call, value: toHex(7n) })
  const called = await node.send({ to: callee, data: call, value: toHex(8n) })
  const bodies = await until(
    async () => receiver.received.map(({ body }) => JSON.parse(body)),
    (seen) => seen.length >= 3,
  )
  expect(bodies.toSorted((a, b) => (a.title < b.title ? -1 : 1))).toEqual([
    { title: 'Called with value triggered', body: `5 from ${node.account} in ${called}` },
    { title: 'Large transfer triggered', body: `5001 from ${node.account} in ${large}` },
    { title: 'Named like triggered', body: ` from ${node.account} in ${named}` },
  ])
  expect(receiver.received.map(({ headers }) => headers['x-team'])).toEqual(['ops', 'ops', 'ops'])
})

test('a serverless file of Defender is imported with its variables, applied, and alerts as there', async () => {
  const own = makeWorkbench({ ...bench.env })
  own.write('tocsin.yaml', 'apiVersion: 1\nworkspace: acme\nstack: defended\n')
  own.write('old/abi.json', JSON.stringify(events))
  own.write('old/secrets.dev.yml', `hooks: {ops: '${receiver.url}'}\n`)
  own.write(
    'old/serverless.yml',
    [
      'service: test',
      `provider: {stage: "${variable("opt:stage, 'dev'")}"}`,
      `custom: {config: '${variable(`file(secrets.${variable('self:provider.stage')}.yml)`)}'}`,
      // The keys of the account are not in the file of secrets, and no import needs them.
      `defender: {key: '${variable('self:custom.config.keys.api')}'}`,
      'resources:',
      `  secrets: {global: {foo: '${variable('self:custom.config.secrets.foo')}'}}`,
      `  private-networks: {local: {name: local-two, rpc-url: '${node.url}'}}`,
      "  actions: {run: {name: Run, path: './run'}}",
      '  contracts:',
      `    token: {name: Token, address: '${token}', network: local-two, abi: '${variable('file(./abi.json)')}'}`,
      '  notifications:',
      `    ops: {type: webhook, name: Ops, paused: false, config: {url: '${variable('self:custom.config.hooks.ops')}'}}`,
      "    page: {type: pager-duty, name: Page, paused: false, config: {token: 'x'}}",
      '  monitors:',
      '    large:',
      '      name: Large by Defender',
      '      type: BLOCK',
      '      network: local-two',
      `      contracts: ['${variable('self:resources.contracts.token')}']`,
      '      conditions:',
      "        event: [{signature: 'Transfer(address,address,uint256)', expression: 'NOT value <= 9000'}]",
      '        transaction: \'status == "success" AND gasUsed > 0\'',
      '      notify-config:',
      "        message: 'Moved {{ matchReasons[0].params.value }} in {{ transaction.transactionHash }}'",
      '        severity-level: HIGH',
      `        channels: ['${variable('self:resources.notifications.ops')}']`,
    ].join('\n'),
  )
  const imported = await own.inside('import', 'defender', 'old/serverless.yml')
  expect(imported.out.trim().split('\n')).toEqual([
    'network local-two: exact',
    'channel Ops: changed: the body is the default body of Tocsin, signed by the Standard Webhooks convention',
    'channel Page: not possible: Tocsin has no channel of the type pager-duty; use a webhook',
    'monitor Large by Defender: exact',
    'secrets global: not possible: Tocsin sends alerts; it does not run code or send transactions',
    'actions run: not possible: Tocsin sends alerts; it does not run code or send transactions',
  ])
  expect(await own.inside('apply', '--yes')).toMatchObject({ code: 0, err: '' })
  await until(
    () => owner.getCustomSource({ fullname: 'acme.local-two' }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
  const emit = (value: bigint) =>
    node.send({
      to: token,
      data: `0x${[transferTopic, pad(bob), pad(bob), word(value)].map((each) => each.slice(2)).join('')}`,
    })
  await emit(9000n)
  const hash = await emit(9001n)
  const [alert] = await until(
    async () => receiver.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'alert'),
    (alerts) => alerts.length > 0,
  )
  expect(alert.data).toMatchObject({
    severity: 'critical',
    message: { title: 'Large by Defender', long: `Moved 9001 in ${hash}` },
  })
  own.remove()
})
