import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, rssMegabytes, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'

/** `npm run bench -- start`: time of a warm start, and idle memory of node. */
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const env = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', ADMIN_TOKEN: 'x'.repeat(40) }

const first = await startServer('server/src/main.ts', [], env)
await first.stop()
const warm: number[] = []
const memory: number[] = []
for (let round = 0; round < 5; round++) {
  const server = await startServer('server/src/main.ts', [], env)
  warm.push(server.startMs)
  await sleep(3_000)
  memory.push(rssMegabytes(server.pid))
  await server.stop()
}
rmSync(folder, { recursive: true, force: true })

const rounded = (numbers: number[]) => numbers.map(Math.round).join(', ')
printRow({
  what: 'warm start, from spawning node to serving',
  wanted: '< 3 s',
  seen: `${Math.round(median(warm))} ms`,
  ok: median(warm) < 3_000,
  details: `${rounded(warm)}; the first start on an empty folder ${Math.round(first.startMs)} ms`,
})
printRow({
  what: 'memory of node, idle after a start',
  wanted: '< 150 MB',
  seen: `${Math.round(median(memory))} MB`,
  ok: median(memory) < 150,
  details: rounded(memory),
})
