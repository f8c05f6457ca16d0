import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Reply, Routes, TriggerSave } from '@tocsin/contract'
import { type AddCommand, examples } from '../command.ts'
import { parseCount, parseInputs, testBody } from '../definition/definition-body.ts'
import { findStack, findTrigger } from '../definition/find-trigger.ts'
import { Failure } from '../failure.ts'
import { parseFile } from '../folder/parse-file.ts'
import { openSession, type Session } from '../server/session.ts'
import { safeLine } from '../terminal/safe-text.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

type Options = { block?: string; item?: string; transaction?: string; input?: string; inputs?: string }
type TestResult = Reply<Routes['testTrigger']>

export const addTriggerTest: AddCommand = ({ program, terminal, done }) => {
  const trigger = program.command('trigger').summary('work with one trigger').description('Work with one trigger.')
  trigger
    .command('test')
    .argument('<trigger>', 'fullname of the trigger')
    .summary('run a trigger once')
    .description(
      'Runs the trigger of the folder, or of the server, on one item: of a block, of a transaction, of a file, its testInput, or the latest that matches.',
    )
    .option('--block <number>', 'an item of this block (or slot)')
    .option('--item <index>', 'which matching item of the block, from 0')
    .option('--transaction <hash>', 'an item of this transaction')
    .option('--input <file>', 'an item in a JSON or YAML file')
    .option('--inputs <json>', 'values of the trigger’s inputs')
    .addHelpText(
      'after',
      examples(
        'tocsin trigger test acme.whales.transfer',
        'tocsin trigger test acme.whales.transfer --block 19000000 --json',
      ),
    )
    .action(async (fullname: string, options: Options) =>
      done(await testTrigger(terminal, program.opts().folder, fullname, options)),
    )
}

async function testTrigger(
  terminal: Terminal,
  folder: string | undefined,
  fullname: string,
  options: Options,
): Promise<Outcome> {
  const inputs = parseInputs(options.inputs)
  const stack = findStack(terminal, folder)
  const session = await openSession(terminal, stack?.server)
  const { definition } = await findTrigger(terminal, session, stack, fullname)
  const result = await runTest(terminal, session, definition, options, inputs)
  if (!result.valid) throw new Failure('test_failed', `${fullname} failed on this item.`, result.issues)
  return { json: result, text: resultText(fullname, result) }
}

async function runTest(
  terminal: Terminal,
  session: Session,
  definition: TriggerSave,
  options: Options,
  inputs: Record<string, unknown> | undefined,
): Promise<TestResult> {
  const body = testBody(definition, inputs)
  const itemIndex = options.item === undefined ? {} : { itemIndex: parseCount('--item', options.item) }
  if (options.block !== undefined) {
    const block = parseCount('--block', options.block)
    return session.call((client) => client.testTriggerBlock({ body: { ...body, block, ...itemIndex } }))
  }
  const sample =
    options.input !== undefined
      ? { input: readInput(terminal, options.input) }
      : options.transaction !== undefined
        ? { test: { transactionHash: options.transaction, ...itemIndex } }
        : await latestItem(session, definition, inputs)
  return session.call((client) => client.testTrigger({ body: { ...body, ...sample } }))
}

function readInput({ cwd }: Terminal, file: string): unknown {
  const path = resolve(cwd, file)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new Failure('invalid_option', `${path} cannot be read.`)
  }
  const input = parseFile(file, text)
  if ('problems' in input) throw new Failure('invalid_option', `${file} cannot be read.`, input.problems)
  return input.parsed.value
}

/** The trigger's own sample, else the latest item of its source that matches. */
async function latestItem(
  session: Session,
  { triggerSpec, sourceBindings }: TriggerSave,
  inputs: Record<string, unknown> | undefined,
) {
  if (triggerSpec?.testInput !== undefined || triggerSpec === null) return {}
  if (triggerSpec.type === 'timer') return { test: {} }
  const body = { triggerSpec, ...(sourceBindings && { sourceBindings }), ...(inputs && { inputs }), maxBlocks: 1000 }
  const found = await session.call((client) => client.findLatestBlock({ body }))
  if (found.input !== undefined) return { input: found.input }
  const problem = `No item in the last ${found.checkedBlocks} blocks matches. Give --block, --transaction or --input.`
  throw new Failure('no_item', problem, found.issues)
}

function resultText(fullname: string, { output, debug }: TestResult): string {
  const logs = debug.logs.map(({ level, message }) => `  ${level}: ${safeLine(message)}`)
  const head =
    output === null
      ? `${fullname} did not fire on this item.`
      : `${fullname} fired:\n${JSON.stringify(output, null, 2)}`
  return [head, ...(logs.length === 0 ? [] : ['Log:', ...logs])].join('\n')
}
