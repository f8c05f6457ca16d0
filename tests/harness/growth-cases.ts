import { parseCron, TriggerSave } from '@tocsin/contract'
import { parseFile } from '../../cli/src/folder/parse-file.ts'
import { isWritten } from '../../server/src/domain/images/index.ts'
import { parseForeignJson } from '../../server/src/engine/base/foreign-json.ts'
import { JsonStream } from '../../server/src/engine/base/json-stream.ts'
import { parsePath } from '../../server/src/engine/base/paths.ts'
import { splitPlaceholders } from '../../server/src/engine/base/placeholders.ts'
import { checkSchema } from '../../server/src/engine/check/check-schemas.ts'
import { checkDefinition } from '../../server/src/engine/check/index.ts'
import { readRpcMessages } from '../../server/src/engine/outbound/json-rpc.ts'
import { parseTemplate } from '../../server/src/engine/render/parse-template.ts'
import { readAbi } from '../../server/src/engine/sources/evm/abi/read-abi.ts'
import { compareBloom } from '../../server/src/engine/sources/evm/blocks/bloom.ts'
import { readFrame } from '../../server/src/engine/sources/evm/blocks/call-frames.ts'
import { detectNumbering } from '../../server/src/engine/sources/evm/blocks/log-numbering.ts'
import { readLogs } from '../../server/src/engine/sources/evm/blocks/read-answers.ts'
import { checkReceiptsRoot } from '../../server/src/engine/sources/evm/blocks/receipts-root.ts'
import { codeFacts } from '../../server/src/engine/sources/evm/look-up/code-facts.ts'
import { readEmissions } from '../../server/src/engine/sources/solana/emissions.ts'
import { eventsOfLogs } from '../../server/src/engine/sources/solana/events-of-logs.ts'
import { idlEntries } from '../../server/src/engine/sources/solana/idl/idl-entries.ts'
import { readBlock } from '../../server/src/engine/sources/solana/read-block.ts'
import type { Call } from '../../server/src/engine/sources/substrate/calls/call.ts'
import { callsRunBy } from '../../server/src/engine/sources/substrate/calls/calls-run-by.ts'

export type GrowthCase = { name: string; sizes: number[]; make(size: number): unknown; work(input: never): unknown }

const growth = <T>(name: string, sizes: number[], make: (size: number) => T, work: (input: T) => unknown) => ({
  name,
  sizes,
  make,
  work: work as (input: never) => unknown,
})
const list = <T>(size: number, make: (at: number) => T) => Array.from({ length: size }, (_, at) => make(at))
const lines = (size: number, make: (at: number) => string, end = '\n') => list(size, make).join(end)

const texts: [string, (size: number) => string][] = [
  ['nested lists', (size) => '['.repeat(size) + ']'.repeat(size)],
  ['nested objects', (size) => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`],
  ['open lists', (size) => '['.repeat(size)],
  ['one key repeated', (size) => `{${lines(size, () => '"a":1', ',')}}`],
  ['many keys', (size) => `{${lines(size, (at) => `"k${at}":1`, ',')}}`],
  ['large integers', (size) => `[${lines(size, () => '12345678901234567890', ',')}]`],
  ['one large integer', (size) => `[${'9'.repeat(size)}]`],
  ['blanks', (size) => `[1${' '.repeat(size)},12345678901234567890${' '.repeat(size)}]`],
  ['escapes', (size) => `["${'\\"'.repeat(size)}",12345678901234567890]`],
  ['backslashes', (size) => `["${'\\\\'.repeat(size)}",12345678901234567890]`],
  ['an open text', (size) => `[12345678901234567890,"${'\\"'.repeat(size)}`],
  ['surrogates', (size) => `["${'\\ud800'.repeat(size)}"]`],
]
/** The larger ones are above the length up to which a text is read at once. */
const [jsonSizes, pieceSizes] = [
  [12_000, 48_000],
  [4_000, 16_000],
]

async function readStream(text: string): Promise<unknown> {
  const stream = new JsonStream({ take: (element) => element, keptBytesMax: 1e9 })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1_000) stream.write(bytes.subarray(at, at + 1_000))
  return stream.end()
}

const orRefused = (work: () => unknown) => async () => {
  try {
    await work()
  } catch {
    // A refusal costs too; what matters is how much.
  }
}

const json = texts.flatMap(([name, make]) => [
  growth(`JSON: ${name}`, jsonSizes, make, (text) => orRefused(() => parseForeignJson(text))()),
  growth(`JSON in pieces: ${name}`, pieceSizes, make, (text) => orRefused(() => readStream(text))()),
  growth(`JSON-RPC: ${name}`, pieceSizes, make, (text) =>
    orRefused(() => readRpcMessages(`{"jsonrpc":"2.0","id":1,"result":${text}}`, 'host'))(),
  ),
  growth(`JSON file: ${name}`, [500, 2_000], make, (text) => parseFile('a.json', text)),
])

const yaml: [string, (size: number) => string][] = [
  ['keys', (size) => lines(size, (at) => `k${at}: 1`)],
  ['nested lists', (size) => '- '.repeat(size)],
  ['flow lists', (size) => '['.repeat(size)],
  ['anchors', (size) => lines(size, (at) => `k${at}: &a${at} [*a${at - 1}]`)],
  [
    'aliases of aliases',
    (size) => `a0: &a0 [1,1]\n${lines(size, (at) => `a${at + 1}: &a${at + 1} [*a${at},*a${at}]`)}`,
  ],
  ['quotes', (size) => `a: "${'\\"'.repeat(size)}`],
  ['blanks', (size) => `a:${' '.repeat(size)}x`],
  ['documents', (size) => '---\n'.repeat(size)],
]

const abis: [string, number[], (size: number) => string][] = [
  ['blanks', [500, 2_000], (size) => `event ${' '.repeat(size)}E(uint256 a${' '.repeat(size)}x`],
  ['lines', [100, 400], (size) => lines(size, (at) => `event E${at}(uint256 indexed a, (uint256 b, address c)[] d);`)],
  ['open brackets', [250, 1_000], (size) => `event E(${'('.repeat(size)}`],
  ['parameters', [50, 200], (size) => `event E(${lines(size, (at) => `uint256 p${at}`, ',')})`],
  ['commas', [500, 2_000], (size) => `event E(${','.repeat(size)})`],
  ['structs', [50, 200], (size) => `${lines(size, (at) => `struct S${at} { S${at + 1} a; }`)}\nevent E(S0 a)`],
  ['arrays', [10, 40], (size) => `event E(uint256${'[]'.repeat(size)} a)`],
]
const components = (depth: number): unknown =>
  depth === 0 ? { type: 'uint256', name: 'a' } : { type: 'tuple', name: 'a', components: [components(depth - 1)] }

const idl = (size: number) => ({
  events: list(size, (at) => ({ name: `E${at}`, fields: [{ name: 'a', type: { defined: `T${at}` } }] })),
  instructions: list(size, (at) => ({ name: `do${at}`, args: [{ name: 'a', type: 'u8' }], accounts: [] })),
  types: list(size, (at) => ({
    name: `T${at}`,
    type: { kind: 'struct', fields: [{ name: 'a', type: { vec: { defined: `T${at}` } } }] },
  })),
})

const key = (at: number) => `${'1'.repeat(30)}${['a', 'b', 'c', 'd'][at % 4]}${['e', 'f', 'g', 'h'][(at >> 2) % 4]}`
const solanaBlock = (size: number) => ({
  blockhash: 'h',
  previousBlockhash: 'p',
  blockTime: 1,
  transactions: [
    {
      transaction: {
        signatures: ['s'],
        message: { accountKeys: list(16, key), instructions: [{ programIdIndex: 0, accounts: [], data: '' }] },
      },
      meta: {
        err: null,
        logMessages: list(size, (at) =>
          at % 2 ? `Program ${key(at)} invoke [${(at % 9) + 1}]` : 'Program data: AAAA',
        ),
        innerInstructions: [
          {
            index: 0,
            instructions: list(size, (at) => ({ programIdIndex: at % 16, accounts: [], data: 'zzzz', stackHeight: 2 })),
          },
        ],
      },
    },
  ],
})

const receipt = (at: number) => ({
  transactionIndex: `0x${at.toString(16)}`,
  type: '0x2',
  status: '0x1',
  cumulativeGasUsed: '0x5208',
  logsBloom: `0x${'0'.repeat(512)}`,
  logs: [],
})

const hex = (digits: number, at: number) => `0x${at.toString(16).padStart(digits, '0')}`
const evmLog = (at: number) => ({
  address: hex(40, at),
  topics: [hex(64, at), hex(64, at + 1)],
  data: '0x',
  transactionHash: hex(64, at % 100),
  transactionIndex: hex(1, at % 100),
  logIndex: hex(1, at),
})
/** A chain of calls, each inside the one before. */
const frames = (size: number): unknown =>
  list(size, () => 0).reduce<object>(
    (inner, _, at) => ({ type: 'CALL', from: hex(40, at), to: hex(40, at), calls: [inner] }),
    {
      type: 'CALL',
      from: hex(40, 0),
    },
  )
const batch = (size: number): Call => ({
  pallet: 'Utility',
  call: 'batch',
  args: [],
  params: { calls: list(size, () => ({ type: 'System', value: { type: 'remark', value: {} } })) },
})
const batchEvents = (size: number) =>
  [
    ...list(size, () => ['Utility', 'ItemCompleted']),
    ['Utility', 'BatchCompleted'],
    ['System', 'ExtrinsicSuccess'],
  ].map(([pallet = '', event = ''], index) => ({
    pallet,
    event,
    index,
    phase: 'ApplyExtrinsic',
    extrinsic: 0,
    args: [],
    params: {},
    block: { number: 1, hash: '0x', timestamp: null },
  }))

const wide = (size: number) => ({
  name: 't',
  fullname: 'acme.p.t',
  tags: list(size, String),
  conditions: { all: list(size, () => ({ any: [{ param: 'source.a', op: 'in', value: ['x'] }] })) },
  inputs: Object.fromEntries(list(size, (at) => [`i${at}`, { type: 'enum', enum: ['a'] }])),
})

const fields = (size: number, make: (at: number) => unknown) =>
  Object.fromEntries(list(size, (at) => [`f${at}`, make(at)]))
const definitions: [string, (size: number) => object][] = [
  ['inputs', (size) => ({ inputs: fields(size, () => 'string') })],
  ['choices of an input', (size) => ({ inputs: { a: { type: 'enum', enum: list(size, String) } } })],
  ['conditions', (size) => ({ conditions: { all: list(size, (at) => eventParam(`p${at}`, at)) } })],
  [
    'unknown inputs',
    (size) => ({ conditions: { ...eventParam('value', 1), op: 'in', value: list(size, (at) => `{{inputs.x${at}}}`) } }),
  ],
  [
    'outputs',
    (size) => ({
      outputSchema: fields(size, () => 'string'),
      defaults: { title: 'T', short: lines(size, (at) => `{{raw.f${at}}}`, '') },
    }),
  ],
  ['filters', (size) => ({ filtersSchema: fields(size, (at) => ({ type: 'string', sourcePath: `params.f${at}` })) })],
  [
    'contracts',
    (size) => ({ triggerSpec: { ...spec, contract: list(size, (at) => `0x${String(at).padStart(40, '0')}`) } }),
  ],
  ['script', (size) => ({ transform: { rawSource: `({${'a:1,'.repeat(size)}})` } })],
]
const eventParam = (name: string, value: unknown) => ({ param: `source.params.${name}`, op: 'eq', value })
const spec = {
  type: 'evm_log',
  dataSource: 'common.ethereum',
  event: 'Transfer(address indexed from,address to,uint256 value)',
}
const definition = (more: object) => ({
  name: 't',
  fullname: 'acme.p.t',
  project: 'acme.p',
  workspace: 'acme',
  backend: { type: 'sdk' },
  meta: { title: 'T' },
  tags: [],
  inputs: {},
  providers: [],
  activation: null,
  transform: null,
  triggerSpec: spec,
  ...more,
})

export const cases: GrowthCase[] = [
  ...json,
  ...definitions.map(([name, make]) =>
    growth(
      `definition: ${name}`,
      [100, 400],
      (size) => definition(make(size)),
      (payload) => checkDefinition(TriggerSave.parse(payload)),
    ),
  ),
  ...yaml.map(([name, make]) => growth(`YAML: ${name}`, [250, 1_000], make, (text) => parseFile('a.yaml', text))),
  ...abis.map(([name, sizes, make]) => growth(`ABI: ${name}`, sizes, make, (text) => readAbi(text, 'event'))),
  growth('ABI: tuples in JSON', [100, 400], components, (input) =>
    readAbi([{ type: 'event', name: 'E', inputs: [input] }], 'event'),
  ),
  growth(
    'ABI: items in JSON',
    [250, 1_000],
    (size) => list(size, (at) => ({ type: 'function', name: `f${at}`, inputs: [] })),
    (items) => readAbi(items, 'event'),
  ),
  growth('IDL', [100, 400], idl, (sent) => {
    const entries = idlEntries(sent)
    if (entries.ok) for (const entry of entries.events) entry.idl()
  }),
  growth('Solana block', [250, 1_000], solanaBlock, (answer) => {
    const { block } = readBlock(1, answer)
    for (const transaction of (block.contents as { transactions: Parameters<typeof readEmissions>[0][] })
      .transactions) {
      readEmissions(transaction)
      eventsOfLogs(transaction)
    }
  }),
  growth(
    'receipts',
    [40, 160],
    (size) => list(size, receipt),
    (receipts) => checkReceiptsRoot(`0x${'1'.repeat(64)}`, receipts),
  ),
  growth(
    'EVM logs',
    [250, 1_000],
    (size) => list(size, evmLog),
    (answer) => {
      const logs = readLogs(answer)
      detectNumbering(logs)
      compareBloom(`0x${'0'.repeat(511)}1`, logs)
    },
  ),
  growth('EVM calls inside calls', [250, 1_000], frames, readFrame),
  growth(
    'Substrate batches',
    [250, 1_000],
    (size) => ({ call: batch(size), events: batchEvents(size) }),
    ({ call, events }) => callsRunBy(call, events),
  ),
  growth('code of a contract', [1_000, 4_000], (size) => `0x${'63deadbeef'.repeat(size)}`, codeFacts),
  growth('cron', [50, 200], (size) => [lines(size, () => '*', ','), '*', '*', '*', '*'], parseCron),
  growth('paths', [250, 1_000], (size) => 'a[0].'.repeat(size), parsePath),
  growth(
    'placeholders',
    [250, 1_000],
    (size) => `${'{{'.repeat(size)}${'{{inputs.a}}'.repeat(size)}`,
    splitPlaceholders,
  ),
  growth(
    'templates: blocks',
    [25, 100],
    (size) => `${'{{#if a}}'.repeat(size)}${'{{/if}}'.repeat(size)}`,
    parseTemplate,
  ),
  growth('templates: open brackets', [1_000, 4_000], (size) => '{{'.repeat(size), parseTemplate),
  growth('templates: parts', [250, 1_000], (size) => '{{a.b.c}} text '.repeat(size), parseTemplate),
  growth(
    'schemas',
    [250, 1_000],
    (size) => ({ type: 'object', properties: Object.fromEntries(list(size, (at) => [`p${at}`, { type: 'string' }])) }),
    (schema) => checkSchema(schema, 'outputSchema'),
  ),
  growth('triggers', [50, 200], wide, (payload) => TriggerSave.safeParse(payload)),
  growth(
    'pictures',
    [1_000, 4_000],
    (size) => Buffer.alloc(size, '<svg '),
    (bytes) => isWritten('png' as never, bytes),
  ),
]
