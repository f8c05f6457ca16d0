import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkTypes, lint } from './checks.mjs'
import { runToEnd } from './child.mjs'
import { ensurePackages } from './packages.mjs'
import { root } from './paths.mjs'
import { prepare } from './prepare.mjs'
import { typeScriptCommand } from './typescript.mjs'
import { ensureWeb } from './web.mjs'

/** Each task returns an exit code. */
const tasks = {
  lint: { dev: true, run: lint },
  types: { dev: true, run: checkTypes },
  check: { dev: true, run: async (node) => (await lint(node)) || (await checkTypes(node)) },
  build: { dev: true, run: (node) => succeed(() => ensurePackages(node)) },
  // Afterwards a start needs no network: it finds the packages installed, and the console and the docs site built.
  setup: { dev: false, run: (node) => succeed(() => ensureWeb(node)) },
  export: { dev: false, run: (node, args) => runTypeScript(node, 'server/src/export.ts', args) },
  import: { dev: false, run: (node, args) => runTypeScript(node, 'server/src/import.ts', args) },
  backup: { dev: false, run: (node, args) => runTypeScript(node, 'server/src/backup.ts', args) },
  restore: { dev: false, run: (node, args) => runTypeScript(node, 'server/src/restore.ts', args) },
  account: { dev: false, run: (node, args) => runTypeScript(node, 'server/src/account.ts', args) },
  'rotate-key': { dev: false, run: (node, args) => runTypeScript(node, 'server/src/rotate-key.ts', args) },
  tocsin: { dev: false, run: runCli },
  bench: { dev: true, run: bench },
  reference: { dev: true, run: (node) => runTypeScript(node, 'scripts/reference/main.ts', []) },
  simulate: { dev: true, run: (node, args) => runTypeScript(node, 'tests/simulation/main.ts', args) },
}

const [name, ...args] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined
if (!task) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(tasks).join('|')}`)
  process.exit(2)
}
const node = await prepare({ dev: task.dev })
process.exit(await task.run(node, args))

async function succeed(work) {
  try {
    await work()
    return 0
  } catch (error) {
    console.error(error.message)
    return 1
  }
}

function bench(node, [benchmark, ...rest]) {
  const names = readdirSync(join(root, 'bench')).flatMap((file) => file.match(/^(.+)\.ts$/)?.[1] ?? [])
  if (names.includes(benchmark)) return runTypeScript(node, `bench/${benchmark}.ts`, rest)
  console.error(`Usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`)
  return 2
}

/** npm changes to the root of the repository, but the command works in the folder of its caller. */
function runCli(node, args) {
  const [command, options] = typeScriptCommand(node, 'cli/src/main.ts', args)
  return runToEnd(command, { ...options, cwd: process.env.INIT_CWD ?? process.cwd() })
}

function runTypeScript(node, file, args) {
  return runToEnd(...typeScriptCommand(node, file, args))
}
