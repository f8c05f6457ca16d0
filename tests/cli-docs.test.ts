import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildProgram } from '../cli/src/program.ts'
import { makeTerminal } from '../cli/src/terminal/terminal.ts'
import { makeWorkbench } from './harness/cli.ts'

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
