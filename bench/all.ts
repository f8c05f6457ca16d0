import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { typeScriptCommand } from '../scripts/typescript.mjs'
import { type Bench, listBenches } from './support/benches.ts'
import { drawCurve } from './support/curve-picture.ts'
import { describeMachine, watchMachine } from './support/machine.ts'
import { type Point, readPoints, readRows } from './support/row.ts'
import { printTable, readTable, type TableRow, writeTable } from './support/table.ts'

/**
 * `npm run bench -- all [--quick] [--write] [NAME…]`: runs every benchmark, or those that are named, each in its own
 * process and one after another, and prints one table of what is wanted and what was seen. `--quick` measures smaller
 * sizes. `--write` also puts the rows into docs/benchmarks.md and draws the curves in docs/pictures, after each benchmark, so
 * that a run can be stopped and continued with other names. At the end it then prints the table of all benchmarks.
 */
const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
/** A benchmark that takes longer has failed. */
const benchMsMax = (values.quick ? 4 : 30) * 60_000
const [document, pictures] = ['docs/benchmarks.md', 'docs/pictures']

const machine = describeMachine()
const rows: TableRow[] = []
const points: Point[] = []
for (const bench of listBenches(values.quick).filter(isWanted)) {
  rows.push(...(await runBench(bench)))
  if (values.write) writeDocument()
}
console.log(
  `\n${values.write ? readTable(readFileSync(document, 'utf8')) : `Machine: ${machine}.\n\n${printTable(rows)}`}`,
)

function writeDocument(): void {
  for (const [curve, own] of Map.groupBy(points, ({ curve }) => curve))
    writeFileSync(join(pictures, `curve-${curve.toLowerCase().replaceAll(' ', '-')}.svg`), drawCurve(curve, own))
  const order = listBenches(values.quick).map(({ name }) => name)
  const curves = readdirSync(pictures).filter((name) => /^curve-.*\.svg$/.test(name))
  writeFileSync(document, writeTable(readFileSync(document, 'utf8'), { machine, rows, curves, order }))
}

function isWanted({ name }: Bench): boolean {
  return positionals.length === 0 || positionals.includes(name)
}

async function runBench({ name, args }: Bench): Promise<TableRow[]> {
  const command = `\`${[name, ...args].join(' ')}\``
  const momentOf = watchMachine()
  console.log(`\n# ${name} (${momentOf()})`)
  const { output, failure } = await outputOf(`bench/${name}.ts`, args)
  const measured = readRows(output)
  points.push(...readPoints(output))
  if (failure !== undefined) measured.push({ what: name, wanted: 'it ends', seen: failure, ok: false })
  const moment = momentOf()
  return measured.map((row) => ({ ...row, command, moment }))
}

/** The benchmark gets a process group of its own, so that the processes that it started end with it. */
async function outputOf(file: string, args: string[]): Promise<{ output: string; failure?: string }> {
  const [[node = '', ...rest], options] = typeScriptCommand(process.execPath, file, args)
  const child = spawn(node, rest, { ...options, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    process.stdout.write(chunk)
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endGroup(child.pid)
  }, benchMsMax)
  const detach = endTogether(child.pid)
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  detach()
  clearTimeout(timer)
  if (code !== 0) endGroup(child.pid)
  if (isLate) return { output, failure: `it took more than ${benchMsMax / 60_000} minutes` }
  return code === 0 ? { output } : { output, failure: `it ended with code ${code}` }
}

/** If this process is told to end, the group ends first. Returns the function that takes this back. */
function endTogether(pid: number | undefined): () => void {
  const end = () => {
    endGroup(pid)
    process.exit(1)
  }
  process.once('SIGINT', end).once('SIGTERM', end)
  return () => void process.off('SIGINT', end).off('SIGTERM', end)
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Every process of the group has ended.
  }
}
