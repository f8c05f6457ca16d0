import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@tocsin/sdk'
import { customSource, project, resource, subscription, trigger } from '../../tests/harness/records.ts'
import { startServer } from './measure.ts'

/** Starts the whole service as a process on its embedded store, with a source, a trigger and a subscription. */
export type House = {
  url: string
  client: Client
  pid: number
  startMs: number
  dataDir: string
  /** Stops the service and keeps its data. */
  stop(): Promise<void>
  close(): Promise<void>
}

const token = 'tcn_personal_bench_bench_bench_bench_bench'
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'

export async function startHouse(
  dataDir = mkdtempSync(join(tmpdir(), 'tocsin-bench-')),
  env: NodeJS.ProcessEnv = {},
): Promise<House> {
  const server = await startServer('server/src/main.ts', [], {
    PORT: '0',
    DATA_DIR: dataDir,
    MARKETPLACE: 'off',
    LOG_LEVEL: 'error',
    ADMIN_TOKEN: token,
    ALLOW_PRIVATE_NETWORKS: 'on',
    RATE_ACCOUNT_PER_MINUTE: '1000000',
    ...env,
  })
  return {
    url: server.url,
    client: createClient({ baseUrl: server.url, token }),
    pid: server.pid,
    startMs: server.startMs,
    dataDir,
    stop: server.stop,
    close: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates one trigger on transfers, one subscription and one webhook; resolves when the source is followed. */
export async function subscribe(client: Client, endpoint: string, hook: string, transform?: string): Promise<void> {
  await client.saveWorkspace({ fullname: 'bench', body: { fullname: 'bench' } })
  await client.saveProject({ fullname: 'bench.p', body: project('bench.p') })
  await client.saveResource({
    fullname: 'bench.hook',
    body: resource('bench.hook', { data: { url: hook, secret: 's' } }),
  })
  await client.saveCustomSource({ fullname: 'bench.s', body: customSource('bench.s', { endpoints: [endpoint] }) })
  const triggerSpec = { type: 'evm_log', dataSource: 'bench.s', abiFragment } as const
  const filtersSchema = { to: { type: 'address', sourcePath: 'params.to' } }
  const body = trigger('bench.p.t', { triggerSpec, filtersSchema, ...(transform !== undefined && { transform }) })
  await client.saveTrigger({ fullname: 'bench.p.t', body })
  await client.createSubscription({ body: subscription('bench.p.t', { resources: ['bench.hook'] }) })
  while ((await client.getCustomSource({ fullname: 'bench.s' })).status.status !== 'running') await pause(100)
}
