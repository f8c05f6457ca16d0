import { pad, toEventSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
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
import { emitter } from '../nodes/evm-contracts.ts'

/** A manifest of rindexer is imported, applied, and tells of a real node's blocks as there. */
const pools = [
  { type: 'event', name: 'PoolCreated', inputs: [{ name: 'pool', type: 'address', indexed: true }] },
  { type: 'event', name: 'Synced', inputs: [{ name: 'amount', type: 'uint256', indexed: false }] },
]
/** A variable of the environment, as rindexer writes it. */
const variable = (name: string) => `$\{${name}}`

let imports: ImportBench
beforeAll(async () => {
  imports = await startImportBench()
})
afterAll(() => imports.close())

test('every field of a manifest has a line in the report, and the server accepts what is made', async () => {
  const bench = imports.workbench('fields')
  const [token, other] = [ann, bob]
  const hook = (...list: object[]) => ({
    ...{ endpoint: 'https://example.org/hook', shared_secret: 'x', networks: ['local_net'], events: list },
  })
  const outlets = { streams: { webhooks: [hook({ event_name: 'Transfer' })] } }
  const base = { abi: './token.json', ...outlets }
  const on = (fields: object) => [{ network: 'local_net', ...fields }]
  const factory = { name: 'F', address: [token, other], event_name: 'PoolCreated', abi: './pools.json' }
  const filters = (value: string) => [{ event_name: 'Transfer', indexed_1: [value], indexed_2: ['0', 'true', other] }]
  const telegram = [
    {
      ...{ bot_token: 'x', chat_id: -4223616270, networks: ['local_net'] },
      messages: [
        {
          event_name: 'Transfer',
          filter_expression: "transaction_information.network == 'local_net'",
          template_inline: '*{{from}}*',
        },
      ],
    },
  ]
  const contracts = [
    { name: 'List', details: on({ address: [token, other], end_block: '99' }), ...base, chat: { telegram } },
    { name: 'Any', details: on({ filter: [{ event_name: 'Transfer' }], indexed_filters: filters(token) }), ...base },
    {
      name: 'Twice',
      details: [...on({ address: token }), ...on({ address: other })],
      ...base,
      reorg_safe_distance: 12,
    },
    { name: 'Final', details: on({ address: token }), ...base, reorg_safe_distance: true },
    {
      ...{ name: 'Delivered', details: on({ address: token }), abi: './token.json' },
      streams: {
        webhooks: [{ ...hook({ event_name: 'Transfer' }), delivery: 'finalized' }, hook()],
        kafka: {
          brokers: ['b'],
          acks: 'all',
          security_protocol: 'p',
          topics: [{ topic: 'moves', networks: ['local_net'] }],
        },
        redis: { connection_uri: 'redis://x' },
      },
    },
    { name: 'Made', details: on({ factory: { ...factory, input_name: ['pool'] }, start_block: '5' }), ...base },
    { name: 'Nested', details: on({ factory: { ...factory, input_name: 'pool.address' } }), ...base },
    { name: 'Hashed', details: on({ address: token, indexed_filters: filters('a text') }), ...base },
    { name: 'Excluded', details: on({ address: token }), ...base, include_events: ['Approval'] },
    { name: 'No file', details: on({ address: token }), ...base, abi: './none.json' },
  ]
  const manifest = {
    ...{
      name: 'Fields',
      project_type: 'no-code',
      contracts,
      constants: { a: 'b' },
      global: { contracts: [{ name: 'G' }] },
    },
    networks: [{ name: 'local_net', chain_id: 31337, rpc: imports.node.url }],
    native_transfers: {
      networks: [{ network: 'local_net', method: 'debug_traceBlockByNumber', end_block: 7 }],
      streams: { webhooks: [hook()] },
    },
  }
  bench.write('old/rindexer.yaml', stringify(manifest))
  bench.write('old/token.json', JSON.stringify([transferEvent]))
  bench.write('old/pools.json', JSON.stringify(pools))
  const alone = 'each event is a request of its own, without block_timestamp'
  const lines = await report(bench, 'rindexer', 'old/rindexer.yaml')
  const webhooks = Object.fromEntries(Object.entries(lines).filter(([name]) => name.startsWith('webhook')))
  const others = Object.fromEntries(Object.entries(lines).filter(([name]) => !name.startsWith('webhook')))
  expect(others).toEqual({
    'network local_net': 'exact',
    'contract List': 'exact',
    'telegram -4223616270 of List':
      'changed: the title stands before the message; connect chat -4223616270 with the bot of the operator after the apply',
    'contract Any': 'exact',
    'contract Twice': 'exact',
    'contract Final': 'changed: an event is told when its block is final, not at the safe distance of rindexer',
    'contract Delivered': 'exact',
    'kafka moves of Delivered': 'not possible: Tocsin has no channel of the type kafka; use a webhook',
    'redis of Delivered': 'not possible: Tocsin has no channel of the type redis; use a webhook',
    'contract Made': 'changed: past blocks from start_block on are not told',
    'contract Nested': 'not possible: the input pool.address of the factory lies inside a tuple',
    'contract Hashed': 'not possible: it filters by the indexed text "a text": write the hash of the text',
    'contract Excluded': 'exact',
    'contract No file': 'not possible: its ABI ./none.json cannot be read',
    'native transfers': 'exact',
    constants: 'not possible: only the tables of rindexer read them',
    'global contract G': 'not possible: only code of rindexer reads it',
  })
  expect(webhooks).toEqual({
    ...Object.fromEntries(
      ['List', 'Any', 'Twice', 'Final', 'Delivered', 'Made', 'native transfers'].map((name) => [
        `webhook of ${name}`,
        `changed: ${alone}`,
      ]),
    ),
    'webhook 2 of Delivered': 'not possible: it names no event',
    'webhook of Nested': 'not possible: contract Nested is not possible',
    'webhook of Hashed': 'not possible: contract Hashed is not possible',
    'webhook of Excluded': 'not possible: the event Transfer is left out: include_events does not name it',
    'webhook of No file': 'not possible: contract No file is not possible',
  })
  expect(await bench.inside('validate')).toMatchObject({ code: 0, err: '' })
  expect(await bench.inside('plan')).toMatchObject({ code: 2, err: '' })
  bench.remove()
})

test('a manifest without networks stops the import', async () => {
  const bench = imports.workbench('wrong')
  bench.write('old/rindexer.yaml', 'name: x\nproject_type: no-code\n')
  const imported = await bench.inside('import', 'rindexer', 'old')
  expect(imported).toMatchObject({ code: 1, err: expect.stringContaining('is not a manifest of rindexer') })
  expect(imported.err).toContain('networks')
  bench.remove()
})

test('a manifest of rindexer is imported with its filters and factories, and tells its webhooks and chats', async () => {
  const { node, receiver } = imports
  const token = await node.deploy(emitter(3))
  const slack = receiver.url.replace('/hook', '/slack')
  const variables = { ACME_SLACK_OPS_URL: slack, ACME_DISCORD_1250734999999999999_URL: receiver.url }
  const bench = imports.workbench('indexed', { NODE_URL: node.url, SHARED: 'between us', ...variables })
  const [factory, pool, stranger] = [
    await node.deploy(emitter(2)),
    await node.deploy(emitter(1)),
    await node.deploy(emitter(1)),
  ]
  const webhook = (path: string, ...list: object[]) => ({
    ...{ endpoint: receiver.url.replace('/hook', path), shared_secret: variable('SHARED'), networks: ['local_net'] },
    events: list,
  })
  const contracts = [
    {
      name: 'Token',
      details: [
        {
          ...{ network: 'local_net', address: 'TOKEN', start_block: '0' },
          indexed_filters: [{ event_name: 'Transfer', indexed_1: [ann] }],
        },
      ],
      abi: './abis/token.json',
      include_events: ['Transfer'],
      generate_csv: false,
      reorg_safe_distance: false,
      streams: {
        webhooks: [
          webhook('/token', {
            ...{ event_name: 'Transfer', alias: 'Moved' },
            conditions: [{ value: '>=1000 && value <=6000' }, { to: `${ann} || ${safe}` }],
          }),
        ],
        sns: { aws_config: { region: 'x' }, topics: [{ topic_arn: 'arn:moves', networks: ['local_net'], events: [] }] },
      },
      chat: {
        slack: [
          {
            ...{ bot_token: 'x', channel: '#ops', networks: ['local_net'] },
            messages: [
              {
                event_name: 'Transfer',
                filter_expression: `value > 5000 && !(to = '${bob}')`,
                template_inline: 'Sent {{format_value(value, 3)}} in {{transaction_information.transaction_hash}}',
              },
              { event_name: 'Transfer', filter_expression: 'value >', template_inline: 'broken' },
            ],
          },
        ],
        discord: [
          {
            ...{ bot_token: 'x', channel_id: 'CHANNEL', networks: ['local_net'] },
            messages: [{ event_name: 'Transfer', conditions: [{ value: '>999999' }], template_inline: 'Huge' }],
          },
        ],
        pagerduty: [{ routing_key: 'x', networks: ['local_net'], messages: [] }],
      },
    },
    {
      name: 'Pool',
      details: [
        {
          network: 'local_net',
          factory: {
            name: 'Factory',
            address: factory,
            event_name: 'PoolCreated',
            input_name: 'pool',
            abi: './abis/pools.json',
          },
        },
      ],
      abi: ['./abis/pools.json'],
      include_events: [{ name: 'Synced', timestamps: true }],
      streams: { webhooks: [webhook('/pool', { event_name: 'Synced' })] },
    },
    { name: 'Stored', details: [{ network: 'local_net', address: token }], abi: './abis/token.json' },
    {
      name: 'Elsewhere',
      details: [{ network: 'moon', address: token }],
      abi: './abis/token.json',
      streams: { webhooks: [webhook('/moon', { event_name: 'Transfer' })] },
    },
  ]
  const manifest = {
    ...{ name: 'Local', project_type: 'no-code', storage: { postgres: { enabled: true } } },
    networks: [{ name: 'local_net', chain_id: 31337, rpc: variable('NODE_URL'), block_poll_frequency: 'rapid' }],
    contracts,
    native_transfers: {
      networks: [{ network: 'local_net' }],
      streams: { webhooks: [webhook('/native', { event_name: 'NativeTransfer', conditions: [{ value: '>=10' }] })] },
    },
  }
  // Real manifests write addresses and ids without quotes.
  const text = stringify(manifest).replace('TOKEN', token).replace('CHANNEL', '1250734999999999999')
  bench.write('old/rindexer.yaml', text)
  bench.write('old/abis/token.json', JSON.stringify([transferEvent]))
  bench.write('old/abis/pools.json', JSON.stringify(pools))
  const alone = 'each event is a request of its own, without block_timestamp'
  const byUrl = (name: string, whose: string) =>
    `changed: the title stands before the message; set the variable ${name} to the URL of an incoming webhook of the ${whose}`
  expect(await report(bench, 'rindexer', 'old')).toEqual({
    'network local_net': 'changed: every block is followed as it comes, without block_poll_frequency',
    'contract Token':
      'changed: events are only told, without generate_csv; past blocks from start_block on are not told',
    'sns arn:moves of Token': 'not possible: Tocsin has no channel of the type sns; use a webhook',
    'webhook of Token': `changed: ${alone}`,
    'slack #ops of Token': `${byUrl('ACME_SLACK_OPS_URL', 'slack channel #ops')}; the event Transfer is left out: its expression cannot be read: expected a value at character 8`,
    'discord 1250734999999999999 of Token': byUrl(
      'ACME_DISCORD_1250734999999999999_URL',
      'discord channel 1250734999999999999',
    ),
    'pagerduty of Token': 'not possible: Tocsin has no channel of the type pagerduty; use a webhook',
    'contract Pool': 'exact',
    'webhook of Pool': `changed: ${alone}`,
    'contract Stored': 'not possible: its events are only stored: it has no webhook and no chat',
    'contract Elsewhere': 'not possible: the network moon is not among the networks',
    'webhook of Elsewhere': 'not possible: contract Elsewhere is not possible',
    'native transfers': 'exact',
    'webhook of native transfers': `changed: ${alone}`,
    storage: 'not possible: Tocsin sends alerts; it keeps no tables of events',
  })
  await imports.apply(bench, 'acme.local-net')
  await imports.emit(token, transferTopic, pad(bob), pad(ann), word(5002n))
  await imports.emit(token, transferTopic, pad(ann), pad(ann), word(999n))
  await imports.emit(token, transferTopic, pad(ann), pad(bob), word(5500n))
  const moved = await imports.emit(token, transferTopic, pad(ann), pad(ann), word(5001n))
  await imports.emit(factory, toEventSelector('PoolCreated(address)'), pad(pool as `0x${string}`))
  await imports.emit(stranger, toEventSelector('Synced(uint256)'), word(6n))
  await imports.emit(pool, toEventSelector('Synced(uint256)'), word(7n))
  await node.send({ to: safe, value: toHex(9n) })
  const paid = await node.send({ to: safe, value: toHex(10n) })
  const wanted = ['/native', '/pool', '/slack', '/token']
  const got = await until(
    async () => receiver.received.filter(({ path }) => wanted.includes(path)),
    (requests) => new Set(requests.map(({ path }) => path)).size === wanted.length,
  )
  expect(got.map(({ path }) => path).toSorted()).toEqual(wanted)
  const bodyOf = (path: string) => JSON.parse(got.find((each) => each.path === path)?.body.toLowerCase() ?? '')
  const where = { chain_id: 31337, network: 'local_net' }
  const told = { ...where, address: token.toLowerCase(), transaction_hash: moved, log_index: '0', transaction_index: 0 }
  expect(bodyOf('/token')).toMatchObject({
    ...{ event_name: 'moved', event_signature_hash: transferTopic, network: 'local_net' },
    event_data: [{ from: ann, to: ann, value: '5001', transaction_information: told }],
  })
  expect(got.find(({ path }) => path === '/token')?.headers['x-rindexer-shared-secret']).toBe('between us')
  expect(bodyOf('/pool')).toMatchObject({ event_name: 'synced', event_data: [{ amount: '7' }] })
  expect(bodyOf('/native')).toMatchObject({
    event_name: 'nativetransfer',
    event_data: [{ from: node.account, to: safe, value: '10', transaction_information: { transaction_hash: paid } }],
  })
  expect(JSON.stringify(bodyOf('/slack'))).toContain(`sent 5.001 in ${moved}`)
  bench.remove()
})
