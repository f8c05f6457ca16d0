import type { ErrorReport, Problem } from '../failure.ts'
import { type Colours, coloursFor } from './colours.ts'
import { safeJson, safeLine } from './safe-text.ts'

/** The process, as far as a command may use it. */
export type System = {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  isTerminal: { in: boolean; out: boolean; err: boolean }
  writeOut(text: string): void
  writeErr(text: string): void
}

/** What a command ends with: a value for `--json`, the same as text, and the exit code. */
export type Outcome = { json: unknown; text: string; code?: 0 | 1 | 2 }

export type Terminal = System & {
  isJson: boolean
  /** True if a person can answer a question. */
  canAsk: boolean
  colours: Colours
  print(outcome: Outcome): void
  printError(report: ErrorReport): void
  /** One line of a stream: the value with `--json`, else the text. */
  printLine(json: unknown, text: string): void
  /** Progress and remarks go to standard error, so that standard output stays the result. */
  note(text: string): void
}

export function makeTerminal(system: System, args: readonly string[]): Terminal {
  const isJson = args.includes('--json')
  const { colours, finish } = coloursFor(system.isTerminal.out && !isJson, system.env)
  const writeLine = (text: string) => system.writeOut(text.endsWith('\n') || text === '' ? text : `${text}\n`)
  return {
    ...system,
    isJson,
    canAsk: system.isTerminal.in && system.isTerminal.err && !isJson && !system.env.CI,
    colours,
    print: ({ json, text }) => writeLine(isJson ? safeJson(json, 2) : finish(text)),
    printError: (report) =>
      isJson ? writeLine(safeJson({ error: report }, 2)) : system.writeErr(`${finish(errorText(report))}\n`),
    printLine: (json, text) => writeLine(isJson ? safeJson(json) : safeLine(text)),
    note: (text) => {
      if (!isJson) system.writeErr(`${finish(text)}\n`)
    },
  }
}

/** An error of the program itself has a stack of several lines. */
function errorText({ code, message, problems, requestId }: ErrorReport): string {
  const lines = [
    `tocsin: ${code === 'internal' ? message : safeLine(message)}`,
    ...problems.map((problem) => `  ${problemText(problem)}`),
  ]
  return [...lines, ...(requestId === undefined ? [] : [`  (request ${requestId})`])].join('\n')
}

/** `triggers/whale.yaml:3:5 meta.title: is required` */
export function problemText({ file, line, column, path, message }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return safeLine(`${place === '' ? '' : `${place} `}${path ? `${path}: ` : ''}${message}`)
}
