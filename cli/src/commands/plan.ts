import { type AddCommand, examples } from '../command.ts'
import { parseCount } from '../definition/definition-body.ts'
import { readFolder } from '../folder/read-folder.ts'
import { openSession } from '../server/session.ts'
import { backtestPlan, comparisonText } from '../stack/backtest-plan.ts'
import { hasChanges, planFolder, requireNoIssues } from '../stack/plan.ts'
import { planText } from '../stack/plan-text.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

type Options = { prune?: boolean; backtest?: string }

export const addPlan: AddCommand = ({ program, terminal, done }) => {
  program
    .command('plan')
    .summary('show what apply would change')
    .description('Compares the files with the server and shows what `tocsin apply` would change. Changes nothing.')
    .option('--prune', 'plan to delete the entities of the stack that have no file')
    .option('--backtest <blocks>', 'count how often changed triggers fired in the last blocks, before and after')
    .addHelpText('after', examples('tocsin plan', 'tocsin plan --prune --json', 'tocsin plan --backtest 500'))
    .action(async (options: Options) => done(await showPlan(terminal, program.opts().folder, options)))
}

async function showPlan(
  terminal: Terminal,
  folderName: string | undefined,
  { prune = false, backtest }: Options,
): Promise<Outcome> {
  const blocks = backtest === undefined ? undefined : parseCount('--backtest', backtest, 1)
  const folder = readFolder({ ...terminal, folder: folderName })
  const session = await openSession(terminal, folder.stack.server)
  const plan = await planFolder(session, folder, prune, terminal.env)
  requireNoIssues(plan, folder)
  const code = hasChanges(plan) ? 2 : 0
  const text = planText(plan, terminal.colours)
  if (blocks === undefined) return { json: plan, text, code }
  const comparisons = await backtestPlan(terminal, session, plan, folder.entities, blocks)
  const lines = comparisons.length === 0 ? [] : ['Changed triggers:', ...comparisons.map(comparisonText)]
  return { json: { ...plan, backtest: comparisons }, text: [text, ...lines].join('\n'), code }
}
