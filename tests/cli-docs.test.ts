import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildProgram } from '../cli/src/program.ts'
import { makeTerminal } from '../cli/src/terminal/terminal.ts'
import { makeWorkbench } from './harness/cli.ts'
import { sharedHarness } from './harness/index.ts'

const text = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8')
const comingFrom = readFileSync(new URL('../docs/guide/coming-from.md', import.meta.url), 'utf8')
const blocks = (language: string, page = text) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)

const isTerminal = { in: false, out: false, err: false }
const terminal = makeTerminal(
  { env: {}, cwd: '/', isTerminal, writeOut: () => undefined, writeErr: () => undefined },
  [],
)
const program = buildProgram(terminal, () => undefined)
const below = (command: Command): Command[] => command.commands.flatMap((each) => [each, ...below(each)])
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

test('docs/cli.md has an example of every command, and each example there and in coming-from.md has options that the command knows', () => {
  const lines = [
    ...[text, comingFrom].flatMap((page) => blocks('sh', page).flatMap((block) => block.trim().split('\n'))),
    ...(comingFrom.match(/(?<=`)tocsin import \w+ [^`]+/g) ?? []),
    ...(text.match(/(?<=run: )tocsin [^|\n]+/g) ?? []),
  ]
  const commands = below(program).filter(({ commands }) => commands.length === 0)
  const commandOf = (line: string) => commands.find((command) => `${line} `.startsWith(`${nameOf(command)} `))
  expect(lines.filter((line) => !commandOf(line))).toEqual([])
  const shown = new Set(lines.map((line) => commandOf(line)))
  expect(commands.filter((command) => !shown.has(command)).map(nameOf)).toEqual([])
  const wrong = lines.flatMap((line) => {
    const known = [...(commandOf(line)?.options ?? []), ...program.options].map(({ long }) => long)
    return (line.match(/--[a-z-]+/g) ?? [])
      .filter((option) => !known.includes(option))
      .map((option) => `${line}: ${option}`)
  })
  expect(wrong).toEqual([])
})

test('the files in docs/cli.md are a valid folder', async () => {
  const bench = makeWorkbench({ HOOK_URL: 'https://example.org/hook' })
  bench.write('tocsin.yaml', 'apiVersion: 1\nworkspace: acme\nstack: production\n')
  bench.write('triggers/whale.js', '({ raw: source })')
  bench.write('triggers/erc20.json', '[]')
  for (const block of blocks('yaml')) {
    const [, file = ''] = /^# (\S+)\n/.exec(block) ?? []
    expect(parse(block)).toBeTypeOf('object')
    if (!file.startsWith('.')) bench.write(file, block)
  }
  expect(await bench.inside('validate', '--offline')).toMatchObject({
    code: 0,
    out: '2 files valid (checked here; not by a server).\n',
    err: '',
  })
  bench.remove()
})

/** Commands that read blocks; the service of the test has no endpoint for Ethereum. */
const readsChain = /^tocsin (?:test(?! .*--offline)|record|backtest|trigger test(?! .*--input))/
/** Commands with a test of their own: they open a browser, never end, or read the files of another tool. */
const elsewhere = /^tocsin (?:open|import|alerts --follow|apply --plan-hash|init .*--server|test .*--offline)/

test('the commands in docs/cli.md run one after the other, and those that need a chain without an endpoint say so', async () => {
  const { url, person } = await sharedHarness()
  const ann = await person('ann')
  const workspace = 'cli-docs'
  await ann.saveWorkspace({ fullname: workspace, body: { fullname: workspace } })
  const bench = makeWorkbench({ HOOK_URL: 'https://example.org/hook' })
  const inPlace = (line: string) =>
    line
      .replaceAll('https://tocsin.example.org', url)
      .replaceAll('tcn_personal_abc', ann.token)
      .replaceAll('acme', workspace)
  const writeFiles = () => {
    const transfers = { name: 'transfers', fullname: 'acme.transfers', workspace: 'acme', public: false }
    const project = { ...transfers, meta: { title: 'Transfers', description: '' } }
    bench.write('projects/transfers.json', inPlace(JSON.stringify(project)))
    bench.write('triggers/whale.js', '({ raw: source })')
    bench.write('triggers/erc20.json', '["event Transfer(address indexed from, address indexed to, uint256 value)"]')
    bench.write('item.json', '{ "address": "0x1" }')
    for (const block of blocks('yaml')) {
      const [, file = ''] = /^# (\S+)\n/.exec(block) ?? []
      if (!file.startsWith('.')) bench.write(file, inPlace(block))
    }
  }
  const lines = blocks('sh').flatMap((block) => block.trim().split('\n'))
  const ran: string[] = []
  for (const line of lines.filter((each) => !elsewhere.test(each))) {
    const words = inPlace(line).match(/'[^']*'|\S+/g) ?? []
    const args = words.slice(1).map((word) => word.replaceAll("'", ''))
    const isInit = args[0] === 'init'
    if (isInit && ran.includes('init')) continue
    const { code, out, err } = await bench.inside(...args)
    if (isInit) writeFiles()
    if (readsChain.test(line)) expect([line, code, out + err]).toEqual([line, 1, expect.stringContaining('endpoint')])
    else expect([line, code === 0 || code === 2, err]).toEqual([line, true, ''])
    ran.push(args[0] ?? '')
  }
  expect(new Set(ran)).toEqual(
    new Set([
      ...['login', 'init', 'pull', 'plan', 'apply', 'validate', 'test', 'record', 'trigger', 'backtest'],
      ...['logs', 'alerts', 'completion'],
    ]),
  )
  bench.remove()
})
