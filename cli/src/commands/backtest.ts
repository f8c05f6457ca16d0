import { type AddCommand, examples } from '../command.ts'
import { type BacktestResult, runBacktest } from '../definition/backtest.ts'
import { backtestBody, parseCount, parseInputs } from '../definition/definition-body.ts'
import { findStack, findTrigger } from '../definition/find-trigger.ts'
import { Failure } from '../failure.ts'
import { openSession } from '../server/session.ts'
import { withBlockProgress } from '../terminal/progress.ts'
import { safeLine } from '../terminal/safe-text.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

type Options = { blocks?: string; from?: string; to?: string; inputs?: string; samples?: string }

export const addBacktest: AddCommand = ({ program, terminal, done }) => {
  program
    .command('backtest')
    .argument('<trigger>', 'fullname of the trigger')
    .summary('count how often a trigger would have fired')
    .description('Runs the trigger of the folder, or of the server, over past blocks. Sends nothing.')
    .option('--blocks <count>', 'the last blocks (default: 100)')
    .option('--from <block>', 'the first block; needs --to')
    .option('--to <block>', 'the last block; needs --from')
    .option('--inputs <json>', 'values of the trigger’s inputs')
    .option('--samples <count>', 'outputs to show', '10')
    .addHelpText(
      'after',
      examples(
        'tocsin backtest acme.whales.transfer --blocks 1000',
        'tocsin backtest acme.whales.transfer --from 100 --to 200 --json',
      ),
    )
    .action(async (fullname: string, options: Options) =>
      done(await backtest(terminal, program.opts().folder, fullname, options)),
    )
}

async function backtest(
  terminal: Terminal,
  folder: string | undefined,
  fullname: string,
  options: Options,
): Promise<Outcome> {
  const range = rangeOf(options)
  const inputs = parseInputs(options.inputs)
  const samples = parseCount('--samples', options.samples ?? '10')
  const stack = findStack(terminal, folder)
  const session = await openSession(terminal, stack?.server)
  const { definition } = await findTrigger(terminal, session, stack, fullname)
  const body = { ...backtestBody(definition, inputs), ...range, samples }
  const result = await withBlockProgress(terminal, fullname, (onProgress) => runBacktest(session, body, onProgress))
  if (!result.valid)
    throw new Failure('invalid_definition', `${fullname} cannot be tested on these blocks.`, result.issues)
  return { json: result, text: resultText(fullname, result) }
}

function rangeOf({ blocks, from, to }: Options) {
  if ((from === undefined) !== (to === undefined))
    throw new Failure('invalid_option', '--from and --to belong together.')
  if (from === undefined || to === undefined) return { lastBlocks: parseCount('--blocks', blocks ?? '100', 1) }
  if (blocks !== undefined) throw new Failure('invalid_option', 'Give either --blocks, or --from and --to.')
  return { fromBlock: parseCount('--from', from), toBlock: parseCount('--to', to) }
}

function resultText(fullname: string, { fromBlock, toBlock, checkedBlocks, result }: BacktestResult): string {
  const lines = [
    `${fullname}: fired ${result?.fired ?? 0} times in ${checkedBlocks} blocks (${fromBlock} to ${toBlock}).`,
    `${result?.matched ?? 0} items matched, ${result?.failed ?? 0} runs failed.`,
  ]
  const fired =
    result?.blocks.map(({ number, fired, at }) => `  block ${number}${at ? ` (${at})` : ''}: ${fired}`) ?? []
  const samples = result?.samples.map(({ block, raw }) => `  block ${block}: ${JSON.stringify(raw)}`) ?? []
  const issues = result?.issues.map(({ path, message }) => `  ${safeLine(`${path}: ${message}`)}`) ?? []
  const part = (title: string, entries: string[]) => (entries.length === 0 ? [] : [title, ...entries])
  return [...lines, ...part('Blocks:', fired), ...part('Outputs:', samples), ...part('Issues:', issues)].join('\n')
}
