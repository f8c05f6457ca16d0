/** `npm run simulate -- --seed N [--processes N] [--steps N]`: runs one seed again, on its own PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../server/src/store/embedded/index.ts'
import { simulate } from './simulate.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { seed: text, processes: text, steps: text } })
const seed = Number(values.seed)
if (!Number.isSafeInteger(seed)) {
  console.error('Usage: npm run simulate -- --seed N [--processes N] [--steps N]')
  process.exit(2)
}
const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-simulation-'))
const server = await startEmbeddedPostgres(dataDir)
const processes = Number(values.processes ?? 1)
const steps = Number(values.steps ?? 40)
const outcome = await simulate({
  ...{ databaseUrl: server.url, dataDir, seeds: [seed], processes, steps },
  parks: processes > 1,
})
await server.stop()
rmSync(dataDir, { recursive: true, force: true })
for (const line of outcome.wrong) console.log(line)
console.log(
  `seed ${seed}: told ${outcome.told}, taken back ${outcome.takenBack}, wrong ${outcome.wrong.length}, logs ${Math.round(outcome.logMs)} ms after calls`,
)
process.exit(outcome.wrong.length === 0 ? 0 : 1)
