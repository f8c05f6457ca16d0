import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, rssMegabytes, startServer } from './support/measure.ts'

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

console.log(`first start on an empty folder: ${Math.round(first.startMs)} ms`)
console.log(
  `warm start, from spawning to serving: median ${Math.round(median(warm))} ms (${warm.map(Math.round).join(', ')})`,
)
console.log(`RSS of node, idle: median ${Math.round(median(memory))} MB (${memory.map(Math.round).join(', ')})`)
