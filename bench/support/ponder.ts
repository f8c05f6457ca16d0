import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOfTree } from './process-tree.ts'

export const ponderVersion = '0.16.10'
const folder = join(tmpdir(), `tocsin-bench-ponder-${ponderVersion}`)
const program = join(folder, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js')

/** A project that inserts one row for each Transfer event, with everything else as Ponder's defaults. */
const files = {
  'package.json': '{ "name": "peer", "private": true, "type": "module" }',
  'ponder.config.ts': `import { createConfig } from 'ponder'
import { parseAbi } from 'viem'
export default createConfig({
  chains: { local: { id: 31337, rpc: process.env.NODE_URL } },
  contracts: { Token: {
    abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
    chain: 'local', address: process.env.CONTRACT, startBlock: 0,
  } },
})`,
  'ponder.schema.ts': `import { onchainTable } from 'ponder'
export const transfer = onchainTable('transfer', (t) => ({
  id: t.text().primaryKey(), from: t.hex().notNull(), to: t.hex().notNull(), value: t.bigint().notNull(), block: t.bigint().notNull(),
}))`,
  'src/index.ts': `import { ponder } from 'ponder:registry'
import { transfer } from 'ponder:schema'
ponder.on('Token:Transfer', async ({ event, context }) => {
  const { from, to, value } = event.args
  await context.db.insert(transfer).values({ id: event.id, from, to, value, block: event.block.number })
})`,
  'src/api/index.ts': `import { Hono } from 'hono'
import { count } from 'ponder'
import { db } from 'ponder:api'
import { transfer } from 'ponder:schema'
const app = new Hono()
app.get('/count', async (c) => c.text(String((await db.select({ rows: count() }).from(transfer))[0]?.rows ?? 0)))
export default app`,
}

/** Installs Ponder from npm into a folder of its own, once. Throws if that fails, for example without a network. */
export async function installPonder(): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  if (existsSync(program)) return
  const packages = [`ponder@${ponderVersion}`, 'viem@2.57.1', 'hono@4.13.17']
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder, stdio: 'ignore' })
  const code = await endOf(npm)
  if (code !== 0 || !existsSync(program))
    throw new Error(`Ponder cannot be installed here (npm ended with code ${code})`)
}

export type Indexed = { tookMs: number; cpuMs: number; rows: number }

/** Starts Ponder on an empty store and waits until it has indexed the events. Without a database it uses PGlite. */
export async function runPonder(
  chain: { nodeUrl: string; contract: string; events: number },
  store: { port: number; databaseUrl?: string },
): Promise<Indexed> {
  rmSync(join(folder, '.ponder'), { recursive: true, force: true })
  const { DATABASE_URL, DATABASE_PRIVATE_URL, ...environment } = process.env
  const env = {
    ...environment,
    ...{ NODE_URL: chain.nodeUrl, CONTRACT: chain.contract, PONDER_TELEMETRY_DISABLED: 'true' },
    ...(store.databaseUrl !== undefined && { DATABASE_URL: store.databaseUrl }),
  }
  const began = performance.now()
  const args = [program, 'start', '--schema', 'peer', '--port', String(store.port), '--log-level', 'warn']
  const ponder = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = endOf(ponder).then((code) => Promise.reject(new Error(`Ponder ended with code ${code}`)))
  const rows = await Promise.race([indexedRows(`http://127.0.0.1:${store.port}`, chain.events), ended])
  const tookMs = performance.now() - began
  const cpuMs = cpuOfTree(ponder.pid ?? 0) / 1000
  ended.catch(() => undefined)
  ponder.kill('SIGKILL')
  return { tookMs, cpuMs, rows }
}

/** Counts only after Ponder says that it has read the chain's past, because counting costs its store time. */
async function indexedRows(url: string, events: number): Promise<number> {
  const endsAtMs = performance.now() + 240_000
  let rows = 0
  while (rows < events && performance.now() < endsAtMs) {
    await pause(50)
    const isReady = await fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) rows = Number(await fetch(`${url}/count`).then((reply) => reply.text()))
  }
  return rows
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', done)
  })
}
