import type { Row } from './row.ts'

/** A row for docs/benchmarks.md: with the arguments of `npm run bench --` that measure it, and the date and load of the run. */
export type TableRow = Row & { command: string; moment: string }

/** `curves` are the files of all pictures, also of benchmarks that did not run; `order` has the names of all benchmarks. */
type Results = {
  machine: string
  rows: readonly TableRow[]
  curves: readonly string[]
  order: readonly string[]
}

const [start, end] = ['<!-- table of npm run bench -- all -->', '<!-- end of the table -->']
const head = ['| what | `npm run bench --` | wanted | seen | met | date, load |', '|---|---|---|---|---|---|']

export function printTable(rows: readonly TableRow[]): string {
  return [...head, ...linesOf(rows)].join('\n')
}

/** Rows of one command that measure the same are one line, which has the figures of their parts one after the other. */
function linesOf(rows: readonly TableRow[]): string[] {
  return [...Map.groupBy(rows, ({ what, command }) => `${command} ${what}`).values()].map(lineOf)
}

function lineOf(rows: readonly TableRow[]): string {
  const [{ what, command, moment } = { what: '', command: '', moment: '' }] = rows
  const parts = rows.flatMap(({ part }) => part ?? [])
  const name = parts.length > 0 ? `${what}: ${parts.join('; ')}` : what
  const targets = rows.map((row) => row.wanted)
  const wanted = new Set(targets).size === 1 ? targets[0] : targets.join('; ')
  const seen = rows.map((row) => row.seen).join('; ')
  return `| ${name} | ${command} | ${wanted} | ${seen} | ${metOf(rows)} | ${moment} |`
}

/** A line is met if each of its rows is; rows without a target do not count. */
function metOf(rows: readonly TableRow[]): string {
  const answers = rows.flatMap(({ ok }) => ok ?? [])
  if (answers.length === 0) return '–'
  return answers.every(Boolean) ? 'yes' : '**no**'
}

/**
 * Replaces the rows of the benchmarks that ran, keeps the rows of the others, and puts all into the given order. Throws if the document has no marks.
 */
export function writeTable(document: string, { machine, rows, curves, order }: Results): string {
  const [before, after] = findTable(document)
  const ran = new Set(rows.map(({ command }) => benchOf(command)))
  const kept = document
    .slice(before, after)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !head.includes(line))
  const lines = [...kept.filter((line) => !ran.has(benchIn(line))), ...linesOf(rows)]
  lines.sort((a, b) => order.indexOf(benchIn(a)) - order.indexOf(benchIn(b)))
  const images = curves.map((file) => `![${file.replace('.svg', '')}](pictures/${file})`)
  const table = [start, `Machine: ${machine}.`, '', ...head, ...lines, '', ...images, ''].join('\n')
  return document.slice(0, before) + table + document.slice(after)
}

/** The table of the document, with the machine and the pictures. */
export function readTable(document: string): string {
  const [before, after] = findTable(document)
  return document.slice(before + start.length, after).trim()
}

function findTable(document: string): [before: number, after: number] {
  const [before, after] = [document.indexOf(start), document.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`The document has no lines "${start}" and "${end}"`)
  return [before, after]
}

function benchIn(line: string): string {
  return benchOf(line.split(' | ')[1] ?? '')
}

/** The name of the benchmark: a run with other arguments replaces its rows too. */
function benchOf(command: string): string {
  return /^`([\w-]+)/.exec(command)?.[1] ?? command
}
