import type { Row } from './row.ts'

/** A row of docs/benchmarks.md: with the command that measures it, and the date and load of the run. */
export type TableRow = Row & { command: string; moment: string }

/** `curves` are the files of all pictures, also of benchmarks that did not run; `order` has the names of all benchmarks. */
type Results = {
  machine: string
  rows: readonly TableRow[]
  curves: readonly string[]
  order: readonly string[]
}

const [start, end] = ['<!-- table of npm run bench -- all -->', '<!-- end of the table -->']
const head = ['| direction | command | wanted | seen | met | date, load |', '|---|---|---|---|---|---|']

export function printTable(rows: readonly TableRow[]): string {
  return [...head, ...rows.map(lineOf)].join('\n')
}

function lineOf({ direction, command, wanted, seen, ok, moment }: TableRow): string {
  const met = ok === undefined ? '–' : ok ? 'yes' : '**no**'
  return `| ${direction} | ${command} | ${wanted} | ${seen} | ${met} | ${moment} |`
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
  const lines = [...kept.filter((line) => !ran.has(benchIn(line))), ...rows.map(lineOf)]
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
  return /bench -- ([\w-]+)/.exec(command)?.[1] ?? command
}
