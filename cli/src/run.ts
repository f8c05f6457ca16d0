import { CommanderError } from 'commander'
import { describeError } from './failure.ts'
import { buildProgram } from './program.ts'
import { makeTerminal, type System } from './terminal/terminal.ts'

/** Runs one command line. Returns 0 if it is done, 1 after an error, 2 if a plan has changes. */
export async function run(args: readonly string[], system: System): Promise<number> {
  const terminal = makeTerminal(system, args)
  let code = 0
  const program = buildProgram(terminal, (outcome) => {
    code = outcome.code ?? 0
    terminal.print(outcome)
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // Commander throws after it has printed a help text or the version, too.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const hasPrintedHelp = error instanceof CommanderError && error.code === 'commander.help' && !terminal.isJson
    if (hasPrintedHelp) return 1
    terminal.printError(describeError(error))
    return 1
  }
}
