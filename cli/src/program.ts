import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { addLogin } from './commands/login.ts'
import type { Outcome, Terminal } from './terminal/terminal.ts'

/** Every command of `tocsin`, in the order of the help text. */
const commands: readonly AddCommand[] = [addLogin]

export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

export function buildProgram(terminal: Terminal, done: (outcome: Outcome) => void): Command {
  const program = new Command('tocsin')
    .description('Definitions as code for Tocsin: keep triggers and their subscriptions in files, plan and apply them.')
    .version(version)
    .option('-C, --folder <path>', 'the folder of the stack (default: this folder or the nearest above it)')
    .option('--json', 'print JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.writeOut, writeErr: () => undefined })
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 error, 2 the plan has changes.\nTOCSIN_URL and TOCSIN_TOKEN go before what `tocsin login` saved.',
    )
  for (const add of commands) add({ program, terminal, done })
  return program
}
