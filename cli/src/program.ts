import { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { addAlerts } from './commands/alerts.ts'
import { addApply } from './commands/apply.ts'
import { addBacktest } from './commands/backtest.ts'
import { addCompletion } from './commands/completion.ts'
import { addImport } from './commands/import.ts'
import { addInit } from './commands/init.ts'
import { addLogin } from './commands/login.ts'
import { addLogs } from './commands/logs.ts'
import { addOpen } from './commands/open.ts'
import { addPlan } from './commands/plan.ts'
import { addPull } from './commands/pull.ts'
import { addRecord } from './commands/record.ts'
import { addTest } from './commands/test-definitions.ts'
import { addTriggerTest } from './commands/trigger-test.ts'
import { addValidate } from './commands/validate.ts'
import type { Outcome, Terminal } from './terminal/terminal.ts'
import { version } from './version.ts'

/** Every command of `tocsin`, in the order of the help text. */
const commands: readonly AddCommand[] = [
  addLogin,
  addInit,
  addValidate,
  addPlan,
  addApply,
  addPull,
  addImport,
  addTest,
  addRecord,
  addTriggerTest,
  addBacktest,
  addLogs,
  addAlerts,
  addOpen,
  addCompletion,
]

export function buildProgram(terminal: Terminal, done: (outcome: Outcome) => void): Command {
  const program = new Command('tocsin')
    .description('Definitions as code for Tocsin: keep triggers and their subscriptions in files, plan and apply them.')
    .version(version)
    .option('-C, --folder <path>', 'the folder of the stack (default: this folder or the nearest above it)')
    .option('--json', 'print JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: terminal.writeOut,
      // Commander writes the help text here if no command is named. Errors are printed by `run`.
      writeErr: terminal.isJson ? () => undefined : terminal.writeErr,
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 error, 2 the plan has changes.\nTOCSIN_URL and TOCSIN_TOKEN go before what `tocsin login` saved.',
    )
  for (const add of commands) add({ program, terminal, done })
  return program
}
