import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTypes, lint } from './checks.mjs'
import { runToEnd } from './child.mjs'
import { modulesFolder, root } from './paths.mjs'
import { prepare } from './prepare.mjs'
import { describeResults, exitCodeOf, judge } from './test-results.mjs'

/** `vitest.config.ts` has a project for each tier of tests. */
const runs = {
  unit: { tiers: ['unit'] },
  short: { checks: { types: checkTypes, lint }, tiers: ['unit', 'service', 'browser'] },
  gate: { tiers: ['gate'] },
  long: { tiers: ['gate', 'long'] },
}

/** The files that need a process of their own run with the browser tests. */
const projectsOf = { browser: ['browser', 'alone'] }

const [name, ...args] = process.argv.slice(2)
const { checks = {}, tiers } = runs[name]
const vitest = join(modulesFolder, 'vitest', 'vitest.mjs')

let ending = '0 passed, 1 failed'
if (args.length === 0) process.on('exit', () => console.log(ending))
const node = await prepare({ dev: true })
process.exit(args.length === 0 ? await runAll() : await runTiers(tiers, args))

/** Runs every part, whatever the parts before it said, and ends with the time of each and the number of tests. */
async function runAll() {
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (isStopped = true))
  const parts = [
    ...Object.entries(checks).map(([part, check]) => [part, async () => judge(await check(node))]),
    ...tiers.map((tier) => [tier, () => countTier(tier)]),
  ]
  const results = []
  for (const [part, run] of parts) {
    if (isStopped) break
    console.log(`\n── ${part}`)
    const start = performance.now()
    results.push({ part, ...(await run()), seconds: Math.round((performance.now() - start) / 1000) })
  }
  if (isStopped) results.push({ part: 'stopped', ...judge(130), seconds: 0 })
  ending = `\n${describeResults(results)}`
  return exitCodeOf(results)
}

async function countTier(tier) {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-tests-'))
  const report = join(folder, 'report.json')
  const code = await runTiers([tier], ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  const found = readReport(report)
  rmSync(folder, { recursive: true })
  return judge(code, found)
}

/** A run that ends early leaves no report. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

function runTiers(names, options) {
  const projects = names.flatMap((tier) => projectsOf[tier] ?? [tier]).map((project) => `--project=${project}`)
  return runToEnd([node, vitest, 'run', ...projects, ...options], { cwd: root })
}
