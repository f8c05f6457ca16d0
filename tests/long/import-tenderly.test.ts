import { encodeFunctionData, pad, parseAbi, toFunctionSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Workbench } from '../harness/cli.ts'
import type { Receiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import {
  ann,
  bob,
  type ImportBench,
  report,
  safe,
  startImportBench,
  transferEvent,
  transferTopic,
  word,
} from '../harness/import-bench.ts'
import { project, resource, subscription, trigger } from '../harness/index.ts'
import type { EvmNode } from '../nodes/evm.ts'
import { answer, counter, echo, emitter, forwarder } from '../nodes/evm-contracts.ts'

/** Alerts of Tenderly, and a project of Web3alert, are imported, applied, and fire on a real node as there. */
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
  { type: 'function', name: 'count', stateMutability: 'view', inputs: [], outputs: [{ name: '', type: 'uint256' }] },
]

let imports: ImportBench
let node: EvmNode
let receiver: Receiver
let token: string
let callee: string
let failing: string
let relay: string
let count: string

beforeAll(async () => {
  imports = await startImportBench()
  ;({ node, receiver } = imports)
  token = await node.deploy(emitter(3))
  callee = await node.deploy(echo)
  failing = await node.deploy(answer('0x', 'REVERT'))
  relay = await node.deploy(forwarder(failing))
  count = await node.deploy(counter)
})
afterAll(() => imports.close())

/** The API names chains by their ids, so their sources are made by hand. */
function writeSource(bench: Workbench, name = 'chain-31337'): void {
  const about = { name, fullname: `acme.${name}`, workspace: 'acme', meta: { title: 'Local' } }
  bench.write('sources/local.yaml', stringify({ ...about, kind: 'evm', endpoints: [node.url] }))
}

const expression = (type: string, fields: object) => ({ type, expression: fields })
const network = expression('network', { network_id: '31337' })
const contract = (of: string, role?: string) =>
  expression('contract_address', { address: of, ...(role && { transaction_type: role }) })
const alert = (name: string, ...expressions: object[]) => ({
  ...{ id: name, project_id: 'p', name, description: `About ${name}`, enabled: true, severity: 'default' },
  expressions: [network, ...expressions],
  delivery_channels: [{ delivery_channel_id: 'hook', enabled: true, created_at: '2026-01-01T00:00:00Z' }],
})
const hook = () => ({
  ...{ id: 'hook', type: 'webhook', label: 'Hook', enabled: true },
  information: { url: receiver.url },
})
const toAdd = 'add a source acme.chain-31337 for the chain 31337'
const traces = 'its source needs a node with traces'
const atEachBlock = 'the value is read at each block'
const beyond = `${atEachBlock}; a value that is already beyond the bound fires too, and the end is told`

test('every expression and channel of Tenderly has a line in the report, and the server accepts what is made', async () => {
  const bench = imports.workbench('everything', { ACME_OPS_IN_SLACK_URL: receiver.url, ACME_DISCORD_URL: receiver.url })
  writeSource(bench)
  const condition = (fields: object) => ({ parameter_name: 'name', parameter_type: 'string', ...fields })
  const read = (name: string, fields: object) =>
    alert(
      name,
      expression('view_function', {
        ...{ address: count, input: '0x12345678', parameter_condition: condition(fields) },
      }),
    )
  const alerts = [
    alert('Any transaction', contract(token)),
    alert('Sent by', contract(ann, 'source'), expression('tx_value', { transaction_value: '1', operator: '!=' })),
    alert('Called by a contract', contract(token, 'internal')),
    alert('Strangers', contract(token, 'direct'), expression('whitelisted_caller_addresses', { addresses: [ann] })),
    alert('Errors', contract(token, 'direct'), expression('tx_error', { addresses_to_ignore: [bob] })),
    alert(
      'Function',
      contract(token),
      expression('method_call', { function_name: 'transfer', call_position: 'first' }),
    ),
    alert('Line', contract(token), expression('method_call', { line_number: 222, call_position: 'any' })),
    alert(
      'Prototype',
      expression('emitted_log', {
        ...{ event_name: 'Transfer', event_id: transferTopic, match_any: true, match_non_project_contracts: true },
        decode_events: true,
      }),
      expression('tx_status', { transaction_success: true }),
    ),
    alert(
      'Unknown parameter',
      expression('emitted_log', {
        address: token,
        event_name: 'Other',
        event_id: '0x1',
        parameter_conditions: [condition({ operator: '==', comparison_value: 'x' })],
      }),
    ),
    alert(
      'Hidden state',
      expression('state_change', {
        address: count,
        parameter_conditions: [{ parameter_name: 'hidden', compare_change: true }],
      }),
    ),
    read('Percent', { parameter_type: 'int256', compare_percentage: true, comparison_value: '5', operator: '<=' }),
    read('Paused', { parameter_type: 'bool', operator: '==', comparison_value: true }),
    read('Name', { operator: 'notContains', comparison_value: "it's" }),
    read('Names', { parameter_type: 'string[]', compare_change: true }),
    alert('Low', expression('eth_balance', { address: ann, threshold: '1000' })),
    alert(
      'Silence',
      expression('no_action', {
        check_after_seconds: 3600,
        no_log: { address: token, network_id: '31337', event_id: transferTopic, event_name: 'Transfer' },
      }),
    ),
    alert(
      'No deposit',
      expression('no_action', {
        check_after_seconds: 60,
        no_transaction: { address: ann, is_from_address: true, network_id: '31337', transaction_success: true },
      }),
    ),
    alert('Tagged', expression('tag', { tag: 'ours', transaction_type: 'direct' })),
    alert(
      'Mismatch',
      expression('erc20_transfer_matcher', { address: token, log_name: 'Transfer', balances: 'balances' }),
    ),
    alert(
      'Both',
      expression('emitted_log', { address: token, event_id: transferTopic }),
      expression('eth_balance', { address: ann, threshold: '1' }),
    ),
    alert(
      'Balance of senders',
      expression('eth_balance', { address: ann, threshold: '1' }),
      expression('tx_status', { transaction_success: true }),
    ),
    alert('New kind', expression('moon_phase', {})),
    { ...alert('Nowhere', contract(token)), expressions: [contract(token)] },
    { ...alert('Off', contract(token, 'direct')), enabled: false },
    {
      ...alert('Lost', contract(token, 'direct')),
      delivery_channels: [
        { id: 'gone', enabled: true },
        { id: 'hook', enabled: false },
        { delivery_channel_id: 'in', delivery_channel: { ...hook(), id: 'in', label: 'Inside' } },
      ],
    },
  ]
  const delivery_channels = [
    hook(),
    { id: 's', type: 'slack', label: '#ops in Slack', enabled: true, information: { channel_name: '#ops' } },
    { id: 'd', type: 'discord', label: 'Discord', enabled: false, information: {} },
    { id: 'e', type: 'email', label: 'Mail', information: { email: 'a@example.org', emails: ['a@example.org'] } },
    { id: 't', type: 'telegram', label: 'Chat', information: {} },
    { id: 'p', type: 'pagerduty', label: 'Pager', enabled: true, information: {} },
  ]
  bench.write('old/all.json', JSON.stringify({ alerts, delivery_channels }))
  bench.write('old/contract.json', JSON.stringify({ abi: [transferEvent, ...functions] }))
  const lines = await report(bench, 'tenderly', 'old')
  const outcomes = Object.entries(lines).map(([definition, outcome]) => [definition, outcome.replace(`${toAdd}; `, '')])
  expect(Object.fromEntries(outcomes)).toEqual({
    'channel Hook': 'changed: the body is the default body of Tocsin, signed by the Standard Webhooks convention',
    'channel Inside': 'changed: the body is the default body of Tocsin, signed by the Standard Webhooks convention',
    'channel #ops in Slack':
      'changed: set the variable ACME_OPS_IN_SLACK_URL to the URL of an incoming webhook of the slack channel',
    'channel Discord':
      'changed: set the variable ACME_DISCORD_URL to the URL of an incoming webhook of the discord channel; it is disabled there; here it delivers',
    'channel Mail': 'changed: each recipient confirms the address once',
    'channel Chat': 'changed: connect the chat with the bot of the operator after the apply',
    'channel Pager': 'not possible: Tocsin has no channel of the type pagerduty; use a webhook',
    'alert Any transaction': 'changed: a transaction in which only another contract calls the address is not matched',
    'alert Sent by': `changed: ${toAdd}`,
    'alert Called by a contract': `changed: ${traces}`,
    'alert Strangers': `changed: it fires for senders that are not on the whitelist, as Tenderly describes this alert; ${toAdd}`,
    'alert Errors': `changed: a transaction that a require or assert stopped is matched too; ${toAdd}`,
    'alert Function': `changed: ${traces}; a call at any position counts, not only the first`,
    'alert Line': 'not possible: it names its function by line 222 of the source code, which is not in the alert',
    'alert Prototype': 'changed: bytes stay hexadecimal digits',
    'alert Unknown parameter':
      'not possible: its conditions need the ABI of the event Other: put it as a JSON file beside the alerts',
    'alert Hidden state':
      'not possible: the place of hidden in the storage is not known, and no ABI beside the alerts has a getter for it',
    'alert Percent': `changed: ${atEachBlock}`,
    'alert Paused': `changed: ${beyond}`,
    'alert Name': `changed: ${beyond}`,
    'alert Names': `changed: ${atEachBlock}`,
    'alert Low': `changed: ${beyond}`,
    'alert Silence': `changed: ${toAdd}`,
    'alert No deposit': `changed: ${toAdd}`,
    'alert Tagged': 'not possible: the contracts of its tag are not in the alert: name their addresses',
    'alert Mismatch':
      'not possible: it compares the storage of a token with its events, which Tocsin does not read together',
    'alert Both': 'not possible: its expressions cannot be combined: emitted_log, eth_balance',
    'alert Balance of senders':
      'not possible: eth_balance cannot be combined with the sender, value or status of a transaction',
    'alert New kind': 'not possible: its expression moon_phase is not known',
    'alert Nowhere': 'not possible: it names no network',
    'alert Off': 'changed: it is disabled, so it has no subscription',
    'alert Lost': 'changed: the channel gone is left out: it is not among the files, or not possible',
  })
  expect(await bench.inside('validate')).toMatchObject({ code: 0, err: '' })
  expect(await bench.inside('plan')).toMatchObject({ code: 2, err: '' })
  bench.remove()
})

test('a file of another form stops the import, and nothing is written', async () => {
  const bench = imports.workbench('wrong')
  bench.write('old/alert.json', JSON.stringify({ alert: { name: 'No list', expressions: 7 } }))
  expect(await bench.inside('import', 'tenderly', 'old')).toMatchObject({
    code: 1,
    err: expect.stringContaining('alert.json is not a definition of Tenderly'),
  })
  bench.write('old/alert.json', JSON.stringify({ words: true }))
  expect(await bench.inside('import', 'tenderly', 'old')).toMatchObject({
    code: 1,
    err: expect.stringContaining('holds neither alerts nor delivery channels nor an ABI'),
  })
  expect(Object.keys(bench.files()).toSorted()).toEqual(['old/alert.json', 'tocsin.yaml'])
  bench.remove()
})

test('alerts of Tenderly fire for the transactions and values that they matched before', async () => {
  const bench = imports.workbench('tenderly')
  writeSource(bench)
  const isLarge = { parameter_name: 'value', parameter_type: 'uint', operator: '>', comparison_value: '1000' }
  const isNotBob = { parameter_name: 'to', parameter_type: 'address', operator: '!=', comparison_value: bob }
  const isFive = { parameter_name: 'amount', parameter_type: 'uint', operator: '>=', comparison_value: '5' }
  const overOne = { compare_threshold: true, comparison_value: '1', operator: '>', parameter_type: 'uint' }
  const changes = { parameter_name: 'count', parameter_type: 'uint', compare_change: true }
  const selector = toFunctionSelector('transfer(address,uint256)')
  const alerts = [
    alert('Reverted', contract(failing, 'direct'), expression('tx_status', { transaction_success: false })),
    alert(
      'Large transfer',
      expression('emitted_log', {
        ...{ address: token, event_name: 'Transfer', event_id: transferTopic },
        parameter_conditions: [isLarge, isNotBob],
      }),
      expression('blacklisted_caller_addresses', { addresses: [node.account] }),
    ),
    alert(
      'Called with value',
      contract(callee, 'direct'),
      expression('method_call', { line_number: 222, call_position: 'any', method_id: selector }),
      expression('tx_value', { transaction_value: '7', operator: '>' }),
    ),
    alert(
      'Amount',
      contract(callee, 'direct'),
      expression('function_params', { address: callee, function_line_number: 9, parameter_conditions: [isFive] }),
    ),
    alert('Failed inside', expression('tx_internal_error', { addresses_to_match: [failing] })),
    alert(
      'Count over one',
      expression('view_function', {
        ...{ address: count, input: '0x12345678', network_id: '31337', parameter_condition: overOne },
      }),
    ),
    alert('Count changed', expression('state_change', { address: count, parameter_conditions: [changes] })),
    alert('Safe is funded', expression('eth_balance', { address: safe, threshold: '100', operator: '>' })),
  ]
  bench.write('old/alerts.json', JSON.stringify({ alerts }))
  bench.write('old/channels.json', JSON.stringify({ delivery_channels: [hook()] }))
  bench.write('old/abi/token.json', JSON.stringify([transferEvent, ...functions]))
  expect(await report(bench, 'tenderly', 'old')).toEqual({
    'channel Hook': 'changed: the body is the default body of Tocsin, signed by the Standard Webhooks convention',
    'alert Reverted': `changed: ${toAdd}`,
    'alert Large transfer': `changed: ${toAdd}`,
    'alert Called with value': `changed: ${toAdd}`,
    'alert Amount': `changed: ${toAdd}; the function is transfer(address,uint256), the only one with these parameters`,
    'alert Failed inside': `changed: ${toAdd}; ${traces}`,
    'alert Count over one': `changed: ${toAdd}; ${beyond}`,
    'alert Count changed': `changed: ${toAdd}; the getter count() is read; ${atEachBlock}`,
    'alert Safe is funded': `changed: ${toAdd}; ${beyond}`,
  })
  await imports.apply(bench, 'acme.chain-31337')
  await imports.emit(token, transferTopic, pad(ann), pad(ann), word(1000n))
  await imports.emit(token, transferTopic, pad(ann), pad(bob), word(5000n))
  const large = await imports.emit(token, transferTopic, pad(ann), pad(ann), word(5001n))
  const call = (amount: bigint) => encodeFunctionData({ abi: parseAbi([transfer]), args: [ann, amount] })
  await node.send({ to: callee, data: call(4n), value: toHex(7n) })
  const called = await node.send({ to: callee, data: call(4n), value: toHex(8n) })
  const amount = await node.send({ to: callee, data: call(5n) })
  const reverted = await node.send({ to: failing })
  const inside = await node.send({ to: relay })
  await node.send({ to: count })
  await node.send({ to: count })
  await node.send({ to: safe, value: toHex(100n) })
  await node.send({ to: safe, value: toHex(1n) })
  const told = await until(
    async () => receiver.received.map(({ body }) => JSON.parse(body).data),
    (alerts) => alerts.length >= 9,
  )
  const shown = told.map(({ message, raw, state }) => [message.title, raw.transactionHash ?? raw.value, state])
  expect(shown.toSorted()).toEqual(
    [
      ['Reverted', reverted, null],
      ['Large transfer', large, null],
      ['Called with value', called, null],
      ['Amount', amount, null],
      ['Failed inside', inside, null],
      ['Count over one', '2', 'firing'],
      ['Count changed', '1', null],
      ['Count changed', '2', null],
      ['Safe is funded', '101', 'firing'],
    ].toSorted(),
  )
  bench.remove()
})

test('a trigger of a Web3alert project fires for what its activation wants, in the workspace of the stack', async () => {
  const bench = imports.workbench('ported')
  const coin = await node.deploy(emitter(3))
  const large = trigger('theirs.defi.large', {
    triggerSpec: { type: 'evm_log', dataSource: 'acme.ported', contract: coin, abiFragment: transferEvent },
    activation: { language: 'javascript', source: 'BigInt(source.params.value) > 1000n' },
    transform: { language: 'javascript', rawSource: '({ hash: source.transactionHash })' },
    defaults: { title: 'Large in Web3alert' },
  })
  bench.write('old/project.yaml', stringify(project('theirs.defi')))
  bench.write('old/triggers/large.yaml', stringify(large))
  const moved = 'changed: moved from the workspace theirs to acme'
  expect(await report(bench, 'web3alert', 'old')).toEqual({
    'project theirs.defi': moved,
    'trigger theirs.defi.large': moved,
  })
  writeSource(bench, 'ported')
  bench.write('resources/hook.yaml', stringify(resource('acme.ported-hook', { data: { url: receiver.url } })))
  const told = subscription('acme.defi.large', { resources: ['acme.ported-hook'] })
  bench.write('subscriptions/large.yaml', stringify({ key: 'large', ...told }))
  await imports.apply(bench, 'acme.ported')
  await imports.emit(coin, transferTopic, pad(ann), pad(bob), word(1000n))
  const hash = await imports.emit(coin, transferTopic, pad(ann), pad(bob), word(1001n))
  const alerts = await until(
    async () => receiver.received.map(({ body }) => JSON.parse(body).data),
    (alerts) => alerts.some(({ raw }) => raw.hash === hash),
  )
  expect(alerts.filter(({ message }) => message.title === 'Large in Web3alert').map(({ raw }) => raw)).toEqual([
    { hash },
  ])
  bench.remove()
})
