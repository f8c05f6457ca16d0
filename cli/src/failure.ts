import { ApiError } from '@tocsin/sdk'
import { CommanderError } from 'commander'

/** Where a problem is: a path in a payload, and the file with line and column if a file holds it. */
export type Problem = { message: string; path?: string; file?: string; line?: number; column?: number }

/** An error that a person can repair: a sentence, and the places that it is about. */
export class Failure extends Error {
  readonly code: string
  readonly problems: readonly Problem[]

  constructor(code: string, message: string, problems: readonly Problem[] = []) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.problems = problems
  }
}

export type ErrorReport = { code: string; message: string; problems: readonly Problem[]; requestId?: string }

/** An error as a sentence. An error of the program itself keeps its stack, because somebody must repair the program. */
export function describeError(error: unknown): ErrorReport {
  if (error instanceof Failure) return { code: error.code, message: error.message, problems: error.problems }
  if (error instanceof CommanderError) return { code: 'usage', message: usageText(error), problems: [] }
  if (error instanceof ApiError) return describeApiError(error)
  return {
    code: 'internal',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    problems: [],
  }
}

function usageText({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'Name a command. `tocsin help` lists them.' : message.replace(/^error: /, '')
}

function describeApiError({ code, message, issues, requestId }: ApiError): ErrorReport {
  return { code, message, problems: issues, ...(requestId !== undefined && { requestId }) }
}
