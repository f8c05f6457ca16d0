import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tocsin/sdk'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { cpuPerRequest, get, median, startServer } from './support/measure.ts'

/** `npm run bench -- get`: CPU of an authenticated GET against bare node:http with one query, in one run. */
const token = 'x'.repeat(40)
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const limits = { RATE_ACCOUNT_PER_MINUTE: '100000000', LOG_LEVEL: 'info' }
const service = await startServer('server/src/main.ts', [], {
  PORT: '0',
  DATA_DIR: folder,
  ADMIN_TOKEN: token,
  ...limits,
})
const client = createClient({ baseUrl: service.url, token })
await client.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
const meta = { title: 'Bench', description: 'A project to read, again and again' }
const body = { name: 'app', fullname: 'acme.app', workspace: 'acme', public: false, meta }
await client.saveProject({ fullname: 'acme.app', body })

const headers = { authorization: `Bearer ${token}` }
const paths = { me: '/api/me', project: '/api/projects/acme.app', workspaces: '/api/workspaces' }
const databaseUrl = (await connectEmbedded(folder)) ?? ''

for (const [name, path] of Object.entries(paths)) {
  const size = (await get(`${service.url}${path}`, headers)).length
  const bare = await startServer('bench/support/bare.ts', [databaseUrl, 'acme.app', String(size)], {})
  const rounds: { ours: number; floor: number }[] = []
  for (let round = 0; round < 8; round++) {
    const floor = await cpuPerRequest(bare.pid, bare.url, headers, 3_000)
    const ours = await cpuPerRequest(service.pid, `${service.url}${path}`, headers, 3_000)
    if (round > 1) rounds.push({ ours, floor })
  }
  await bare.stop()
  const [ours, floor] = [median(rounds.map(({ ours }) => ours)), median(rounds.map(({ floor }) => floor))]
  const ratio = median(rounds.map(({ ours, floor }) => ours / floor))
  console.log(
    `GET ${name} (${size} bytes): ${Math.round(ours)} µs against ${Math.round(floor)} µs, ratio ${ratio.toFixed(2)}`,
  )
}
await service.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
