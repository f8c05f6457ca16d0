import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tocsin/sdk'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { compareCpu, get, median, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'

/** `npm run bench -- get`: CPU of an authenticated GET against bare node:http with one query, with two such baselines in one run. */
const token = 'x'.repeat(40)
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const service = await startServer('server/src/main.ts', [], {
  PORT: '0',
  // The loops of the engine would add CPU time that is not part of a GET.
  ROLE: 'api',
  DATA_DIR: folder,
  MARKETPLACE: 'off',
  ADMIN_TOKEN: token,
  RATE_ACCOUNT_PER_MINUTE: '100000000',
  LOG_LEVEL: 'info',
})
const client = createClient({ baseUrl: service.url, token })
await client.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
const meta = { title: 'Bench', description: 'A project to read, again and again' }
const body = { name: 'app', fullname: 'acme.app', workspace: 'acme', public: false, meta }
await client.saveProject({ fullname: 'acme.app', body })

const headers = { authorization: `Bearer ${token}` }
const paths = ['/api/me', '/api/projects/acme.app', '/api/workspaces']
const databaseUrl = (await connectEmbedded(folder)) ?? ''

for (const path of paths) {
  const size = (await get(`${service.url}${path}`, headers)).length
  const floors = await Promise.all([startFloor('row', '*', size), startFloor('column', 'fullname', size)])
  const took = await compareCpu([{ name: 'ours', pid: service.pid, url: `${service.url}${path}` }, ...floors], headers)
  for (const floor of floors) await floor.stop()
  const against = (floor: string) =>
    median(took('ours').map((micros, round) => micros / (took(floor)[round] ?? Number.NaN)))
  printRow({
    what: 'CPU of a GET, against node:http with one query',
    part: path,
    wanted: '≤ 2 ×',
    seen: `${against('row').toFixed(2)} × (${Math.round(median(took('ours')))} µs)`,
    ok: against('row') <= 2,
    details: `${size} bytes; ${against('column').toFixed(2)} × a query for one column`,
  })
}
await service.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)

async function startFloor(name: string, columns: string, size: number) {
  return { name, ...(await startServer('bench/support/bare.ts', [databaseUrl, 'acme.app', String(size), columns], {})) }
}
