import { ApiError } from '@tocsin/sdk'
import { type AddCommand, examples } from '../command.ts'
import { Failure } from '../failure.ts'
import { type Folder, readFolder } from '../folder/read-folder.ts'
import { openSession, type Session } from '../server/session.ts'
import { hasChanges, type Plan, planFolder, requireNoIssues, stackRequest } from '../stack/plan.ts'
import { planText } from '../stack/plan-text.ts'
import { askYesNo } from '../terminal/ask.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

type Options = { prune?: boolean; yes?: boolean; planHash?: string }

export const addApply: AddCommand = ({ program, terminal, done }) => {
  program
    .command('apply')
    .summary('make the server have what the files define')
    .description('Plans, asks on a terminal, and applies everything or nothing.')
    .option('--prune', 'delete the entities of the stack that have no file')
    .option('--yes', 'do not ask')
    .option('--plan-hash <hash>', 'apply only if the plan still has this hash (from `tocsin plan --json`)')
    .addHelpText('after', examples('tocsin apply', 'tocsin apply --yes --prune'))
    .action(async (options: Options) => {
      const folder = readFolder({ ...terminal, folder: program.opts().folder })
      done(await applyFolder(terminal, await openSession(terminal, folder.stack.server), folder, options))
    })
}

async function applyFolder(terminal: Terminal, session: Session, folder: Folder, options: Options): Promise<Outcome> {
  const { prune = false, planHash } = options
  const plan = await planFolder(session, folder, prune, terminal.env)
  requireNoIssues(plan, folder)
  if (planHash !== undefined && planHash !== plan.planHash) throw planChanged()
  const text = planText(plan, terminal.colours)
  const changes = hasChanges(plan)
  if (!changes && plan.drift.length === 0) return { json: { planHash: plan.planHash, changes: plan.changes }, text }
  if (changes && terminal.canAsk && !options.yes) {
    terminal.note(text)
    if (!(await askYesNo(terminal, 'Apply this plan?', '--yes')))
      throw new Failure('cancelled', 'Cancelled. Nothing has changed.')
  }
  // Without changes too: what others changed is in the files now, so it is no drift any more.
  const applied = await applyPlan(session, folder, prune, plan)
  return { json: applied, text: appliedText(applied, text) }
}

/** The changes of the reply are those of the plan, which has no secrets in it. */
async function applyPlan(session: Session, folder: Folder, prune: boolean, plan: Plan) {
  const body = { ...stackRequest(folder, prune), expectedPlanHash: plan.planHash }
  try {
    const { planHash } = await session.call((client) => client.applyStack({ fullname: folder.stack.workspace, body }))
    return { planHash, changes: plan.changes }
  } catch (error) {
    throw error instanceof ApiError && error.code === 'plan_changed' ? planChanged() : error
  }
}

function planChanged(): Failure {
  return new Failure('plan_changed', 'The server or the files changed after the plan. Nothing was applied: plan again.')
}

function appliedText({ changes }: Pick<Plan, 'changes'>, planned: string): string {
  const count = changes.filter(({ action }) => action !== 'none').length
  if (count === 0) return planned
  return `${planned}\nApplied ${count} ${count === 1 ? 'change' : 'changes'}.`
}
