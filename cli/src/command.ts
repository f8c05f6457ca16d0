import { issuesOf } from '@tocsin/contract'
import { Argument, type Command } from 'commander'
import type * as z from 'zod'
import { Failure } from './failure.ts'
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

/** The options of a command as the query of a list, or a sentence that names each option that does not fit. */
export function requireQuery<S extends z.ZodType>(schema: S, options: object): z.output<S> {
  const checked = schema.safeParse(options)
  if (checked.success) return checked.data
  const problems = issuesOf(checked.error).map(({ path, message }) => `--${path} ${message}`)
  throw new Failure('invalid_option', `${problems.join('; ')}.`)
}
