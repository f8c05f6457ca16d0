import { Failure } from '../failure.ts'
import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

/** Asks for a text. Without a terminal nobody can answer, so the option must give it. */
export async function ask(terminal: Terminal, question: string, option: string): Promise<string> {
  requireAsking(terminal, option)
  const { isCancel, text } = await import('@clack/prompts')
  const answer = await text({ message: safeLine(question), validate: refuseEmpty, output: process.stderr })
  return isCancel(answer) ? cancelled() : answer
}

/** The same for a secret, which the terminal does not show. */
export async function askSecret(terminal: Terminal, question: string, option: string): Promise<string> {
  requireAsking(terminal, option)
  const { isCancel, password } = await import('@clack/prompts')
  const answer = await password({ message: safeLine(question), validate: refuseEmpty, output: process.stderr })
  return isCancel(answer) ? cancelled() : answer
}

export async function askYesNo(terminal: Terminal, question: string, option: string): Promise<boolean> {
  requireAsking(terminal, option)
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ message: safeLine(question), initialValue: false, output: process.stderr })
  return isCancel(answer) ? false : answer
}

function requireAsking(terminal: Terminal, option: string): void {
  if (!terminal.canAsk) throw new Failure('missing_option', `${option} is required, because this is not a terminal.`)
}

function refuseEmpty(answer: string | undefined): string | undefined {
  return answer ? undefined : 'Please write something.'
}

function cancelled(): never {
  throw new Failure('cancelled', 'Cancelled. Nothing has changed.')
}
