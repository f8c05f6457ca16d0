import { Argument, type Command } from 'commander'
import type { Outcome, Terminal } from './terminal/terminal.ts'

/** Adds one command to the program. Its action passes the outcome to `done`, or throws. */
export type AddCommand = (app: App) => void
export type App = { program: Command; terminal: Terminal; done(outcome: Outcome): void }

/** An argument with a few values, which the help and the completion of shells show. The action checks the value. */
export function choiceOf(name: string, about: string, values: readonly string[]): Argument {
  const argument = new Argument(name, about)
  argument.argChoices = [...values]
  return argument
}

/** The examples at the end of a help text. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}
