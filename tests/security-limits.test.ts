import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

/** The limits in docs/security.md are those of the code. */

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(`${root}docs/security.md`, 'utf8')

type Syntax = { type?: string; [field: string]: unknown }

/** The numbers that a file gives names to, also inside objects and calls: `limits.cpuMs`, `pool.deadlineMs`. */
function constantsOf(file: string): Map<string, number> {
  const found = new Map<string, number>()
  const evaluate = (node: Syntax | undefined): number | undefined => {
    if (node?.type === 'Literal' && typeof node.value === 'number') return node.value
    if (node?.type === 'Identifier') return found.get(String(node.name))
    if (node?.type === 'BinaryExpression') {
      const [left, right] = [evaluate(node.left as Syntax), evaluate(node.right as Syntax)]
      if (left === undefined || right === undefined) return undefined
      return node.operator === '*' ? left * right : node.operator === '+' ? left + right : undefined
    }
    return undefined
  }
  const name = (path: string, given: Syntax | undefined): void => {
    const node = given?.type === 'TSAsExpression' ? (given.expression as Syntax) : given
    const value = evaluate(node)
    if (value !== undefined) found.set(path, value)
    if (node?.type === 'CallExpression') for (const each of node.arguments as Syntax[]) name(path, each)
    if (node?.type !== 'ObjectExpression') return
    for (const { key, value: inner } of node.properties as { key?: Syntax; value?: Syntax }[])
      if (key) name(`${path}.${key.name}`, inner)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, id, init } = node as { type?: string; id?: Syntax; init?: Syntax }
    if (type === 'VariableDeclarator' && id?.type === 'Identifier') name(String(id.name), init)
    if (type === 'VariableDeclarator' && id?.type === 'ArrayPattern' && init?.type === 'ArrayExpression')
      for (const [at, each] of (id.elements as (Syntax | null)[]).entries())
        if (each) name(String(each.name), (init.elements as Syntax[])[at])
    for (const inner of Object.values(node)) visit(inner)
  }
  visit(parseAst(readFileSync(`${root}${file}`, 'utf8'), { lang: 'ts' }))
  return found
}

type Show = (value: number) => string
const kib: Show = (value) => `${value / 1024} KiB`
const mib: Show = (value) => `${value / 1024 / 1024} MiB`
const count =
  (unit: string): Show =>
  (value) =>
    `${value.toLocaleString('en-US')} ${unit}`.trim()
const number = count('')
const seconds: Show = (value) => `${value / 1000} s`

/** The start of the row, the file, and how the row shows its constants. */
const rows: [row: string, file: string, shown: Record<string, Show>][] = [
  ['the texts and links of one message', 'engine/message/index.ts', { stepsMax: count('steps') }],
  ['one text of a message', 'engine/message/index.ts', { outputMax: count('characters') }],
  [
    "a request's body",
    'engine/threads/read-body.ts',
    { 'bodyValuesMax.usual': count('values'), 'bodyValuesMax.stack': number },
  ],
  [
    'reading a body,',
    'engine/threads/index.ts',
    {
      bytesAtOnce: kib,
      'pool.deadlineMs': seconds,
      'pool.memoryMegabytesMax': count('MB'),
      'pool.callerMsPerMinute': seconds,
      'pool.waitingMax.ofOne': number,
      'pool.waitingMax.ofAll': number,
    },
  ],
  [
    'requests of one account at once',
    'api/lanes.ts',
    { 'sizes.usual.atOnce': number, 'sizes.usual.waiting': count('wait'), 'sizes.network.atOnce': number },
  ],
  ['an answer |', 'api/http-reply.ts', { answerMegabytesMax: count('MB') }],
  ['an answer |', 'domain/stacks/evaluate.ts', { valueBytesMax: kib }],
  ['writing an answer', 'api/http-reply.ts', { smallBytes: kib, 'usualLimit.leastMs': seconds }],
  ['an answer of a node', 'engine/sources/answer-sizes.ts', { smallBytes: kib, usualBytes: mib, largeBytes: mib }],
  ['an answer of a node', 'engine/sources/evm/rpc.ts', { codeBytes: kib, receiptBytes: mib }],
  ['an answer of a node', 'engine/sources/solana/answer-sizes.ts', { accountBytes: mib }],
  ['an answer of a node', 'engine/base/foreign-json.ts', { valuesMax: count('values') }],
  ['an answer of a node', 'engine/outbound/read-body.ts', { uncountedBytesMax: mib }],
  ['an answer of a service', 'engine/abi-services/ask-service.ts', { responseBytesMax: mib }],
  ['an answer of a service', 'engine/abi-services/ask-service.ts', { itemsMax: count('items') }],
  [
    'a web socket of a node',
    'engine/sources/rpc-pool/ws-endpoint.ts',
    { messagesMax: count('messages'), charsMax: mib },
  ],
  [
    'one template',
    'engine/render/parse-template.ts',
    { textMax: count('characters'), blocksMax: count('blocks'), nestingMax: number },
  ],
  [
    "a webhook's own body",
    'engine/destinations/webhook-body.ts',
    { stepsMax: count('steps'), outputMax: count('characters') },
  ],
  [
    'an ABI |',
    'engine/sources/evm/abi/parse-abi-lines.ts',
    { linesMax: count('lines'), lineMax: count('characters a line'), textMax: number },
  ],
  ['an ABI |', 'engine/sources/evm/abi/read-abi.ts', { itemsMax: count('items') }],
  ['the conditions of one run', 'engine/conditions/budget.ts', { runSteps: count('steps') }],
  ["the check of a run's outputs", 'engine/conditions/budget.ts', { runSteps: count('steps') }],
  ["the check of a run's outputs", 'engine/check/output-schema.ts', { levelsMax: count('levels') }],
  ['the conditions as a filter', 'engine/conditions/budget.ts', { earlySteps: count('steps') }],
  [
    'the expression of `matches`',
    'engine/conditions/regex-tree.ts',
    { lengthMax: count('characters'), levelsMax: count('levels') },
  ],
  ['the expression of `matches`', 'engine/conditions/regex-program.ts', { stepsMax: count('states') }],
  ['the text that `matches` reads', 'engine/conditions/linear-regex.ts', { textMax: count('characters') }],
  [
    'the values that a test shows',
    'engine/conditions/trigger-conditions.ts',
    { listShownMax: count('values'), textShownMax: count('characters') },
  ],
  [
    'one run of a script',
    'engine/script/limits.ts',
    {
      'limits.cpuMs': count('ms'),
      'limits.activationCpuMs': count('ms'),
      'limits.heapBytes': mib,
      'limits.outputBytes': kib,
      'limits.contextBytes': mib,
      'limits.logEntries': count('log entries'),
    },
  ],
  ['the outputs of one match', 'engine/engine.ts', { outputsMaxDefault: number }],
  ['a picture', 'domain/images/index.ts', { pixelsMax: count('pixels'), drawSecondsMax: count('s') }],
  ['a picture', 'domain/projects/images.ts', { bytesMax: mib }],
  ['the metadata of a Substrate runtime', 'engine/sources/substrate/rpc.ts', { metadataBytes: mib }],
  [
    'the metadata of a Substrate runtime',
    'engine/sources/substrate/metadata/count-parts.ts',
    { partsMax: count('parts') },
  ],
  ['the metadata of a Substrate runtime', 'engine/sources/substrate/runtime.ts', { palletsMax: count('pallets') }],
  ['the values in the events', 'engine/sources/substrate/cursor.ts', { valuesMax: number }],
  ['the look-up of a contract', 'engine/sources/evm/look-up/follow-proxies.ts', { facetsMax: count('facets') }],
  ['the look-up of a contract', 'engine/sources/evm/look-up/chain-reads.ts', { newestLogsMax: count('logs') }],
  ['what a trigger needs of an IDL', 'engine/sources/solana/idl/decodable-idl.ts', { itemsMax: number }],
  ['what a trigger needs of an IDL', 'engine/sources/solana/idl/idl-bounds.ts', { partsMax: count('parts') }],
  ['the drafts of one import', 'domain/triggers/imports/drafts.ts', { draftsMax: number, charactersMax: mib }],
]

describe.each(rows)('%s', (start, file, shown) => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${start}`))
  const constants = constantsOf(`server/src/${file}`)
  test.each(Object.entries(shown))(`${file} %s`, (name, show) => {
    const value = constants.get(name)
    expect(value, 'the constant is in the file').toBeDefined()
    // 50,000 is not in 250,000, and 16 s is not in 16 steps.
    expect(row).toMatch(new RegExp(`(?<![\\d,.])${show(value ?? 0)}(?![\\w,]*\\w)`))
  })
})
