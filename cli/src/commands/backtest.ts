import { ConditionsOfEither, issuesOf, Policy } from '@tocsin/contract'
import type * as z from 'zod'
import { type AddCommand, examples } from '../command.ts'
import { type BacktestResult, runBacktest } from '../definition/backtest.ts'
import { backtestBody, parseCount, parseInputs, parseObject } from '../definition/definition-body.ts'
import { findStack, findTrigger } from '../definition/find-trigger.ts'
import { Failure } from '../failure.ts'
import { openSession } from '../server/session.ts'
import { withBlockProgress } from '../terminal/progress.ts'
import { safeLine } from '../terminal/safe-text.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

type Options = {
  blocks?: string
  from?: string
  to?: string
  inputs?: string
  conditions?: string
  policy?: string
  samples?: string
  estimate?: boolean
}

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
    .option('--conditions <json>', 'conditions of a subscription')
    .option('--policy <json>', 'policy of a subscription: counts its alerts')
    .option('--samples <count>', 'outputs to show', '10')
    .option('--estimate', 'say about how many requests it takes, and run nothing')
    .addHelpText(
      'after',
      examples(
        'tocsin backtest acme.whales.transfer --blocks 1000',
        'tocsin backtest acme.whales.transfer --from 100 --to 200 --json',
        `tocsin backtest acme.vault.price --policy '{"type": "change", "value": "price", "by": "2%"}'`,
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
  const body = { ...backtestBody(definition, inputs), ...subscriptionOf(options), ...range, samples }
  if (options.estimate)
    return estimate(await runBacktest(session, { ...body, estimate: true }, () => undefined), fullname)
  const result = await withBlockProgress(terminal, fullname, (onProgress) => runBacktest(session, body, onProgress))
  requireValid(fullname, result)
  return { json: result, text: resultText(fullname, result) }
}

function estimate(result: BacktestResult, fullname: string): Outcome {
  requireValid(fullname, result)
  const { blocks = 0, requests = 0, byRange = false, providers = 0 } = result.estimate ?? {}
  const lines = [
    `${fullname}: about ${requests} requests for ${blocks} blocks${byRange ? ', and some for each block with a match' : ''}.`,
    ...(providers > 0 ? [`Its providers make ${providers} more for each item that matches.`] : []),
  ]
  return { json: result, text: lines.join('\n') }
}

function requireValid(fullname: string, { valid, issues }: BacktestResult): void {
  if (!valid) throw new Failure('invalid_definition', `${fullname} cannot be tested on these blocks.`, issues)
}

/** What a subscription adds to the trigger. */
function subscriptionOf({ conditions, policy }: Options) {
  const asked = {
    conditions: parseWith(
      '--conditions',
      conditions,
      '{"param": "amount", "op": "gte", "value": 5}',
      ConditionsOfEither,
    ),
    policy: parseWith('--policy', policy, '{"type": "throttle", "per": "1h"}', Policy),
  }
  return { ...(asked.conditions && { conditions: asked.conditions }), ...(asked.policy && { policy: asked.policy }) }
}

function parseWith<T>(option: string, text: string | undefined, example: string, schema: z.ZodType<T>): T | undefined {
  const value = parseObject(option, text, example)
  if (value === undefined) return undefined
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new Failure('invalid_option', `${option} is not valid.`, issuesOf(read.error))
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
    ...(result?.resolved === undefined ? [] : [`The policy would have resolved ${result.resolved} times.`]),
  ]
  const alerts = result?.alerts?.map(alertText) ?? []
  const fired =
    result?.blocks.map(({ number, fired, at }) => `  block ${number}${at ? ` (${at})` : ''}: ${fired}`) ?? []
  const samples = result?.samples.map(({ block, raw }) => `  block ${block}: ${JSON.stringify(raw)}`) ?? []
  const issues = result?.issues.map(({ path, message }) => `  ${safeLine(`${path}: ${message}`)}`) ?? []
  const part = (title: string, entries: string[]) => (entries.length === 0 ? [] : [title, ...entries])
  return [
    ...lines,
    ...part('Alerts:', alerts),
    ...part('Blocks:', fired),
    ...part('Outputs:', samples),
    ...part('Issues:', issues),
  ].join('\n')
}

type Alert = NonNullable<NonNullable<BacktestResult['result']>['alerts']>[number]

function alertText({ at, state, block, key, policy }: Alert): string {
  const words = [state ?? 'fired', ...(key === undefined ? [] : [key]), ...(block === null ? [] : [`block ${block}`])]
  const value = policy?.value === undefined ? '' : `, value ${policy.value}`
  return `  ${safeLine(`${at}: ${words.join(' ')}${value}`)}`
}
