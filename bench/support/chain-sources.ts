import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectEmbedded } from '../../server/src/store/embedded/index.ts'
import { customSource, project, resource, subscription, trigger } from '../../tests/harness/records.ts'
import { get } from './measure.ts'
import type { House } from './runtime-house.ts'

const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'

/** What `chains-node.ts` measured. */
export type Hook = { chain: number; ms: number }
export type ChainsReport = {
  hooks: Hook[]
  plain: Hook[]
  readMs: number[]
  lags: number[]
  matches: number
  calls: number
}
/** The transactions and the bytes of WAL of the whole server so far. */
export type StoreWork = { transactions: number; walBytes: number }

/** Creates one source, one trigger and one subscription for each chain of the node, and waits until all are followed. */
export async function followChains({ client }: House, nodeUrl: string, endpoints: readonly string[]): Promise<void> {
  await client.saveWorkspace({ fullname: 'bench', body: { fullname: 'bench' } })
  await client.saveProject({ fullname: 'bench.p', body: project('bench.p') })
  const data = { url: `${nodeUrl}/hook`, secret: 's' }
  await client.saveResource({ fullname: 'bench.hook', body: resource('bench.hook', { data }) })
  const save = async (endpoint: string, index: number) => {
    const [source, name] = [`bench.s${index}`, `bench.p.t${index}`]
    await client.saveCustomSource({ fullname: source, body: customSource(source, { endpoints: [endpoint] }) })
    const triggerSpec = { type: 'evm_log', dataSource: source, abiFragment } as const
    await client.saveTrigger({ fullname: name, body: trigger(name, { triggerSpec }) })
    await client.createSubscription({ body: subscription(name, { resources: ['bench.hook'] }) })
  }
  for (let at = 0; at < endpoints.length; at += 10)
    await Promise.all(endpoints.slice(at, at + 10).map((endpoint, index) => save(endpoint, at + index)))
  const countRunning = async () =>
    (await client.listCustomSources({ query: { workspace: 'bench' } })).filter(
      ({ status }) => status.status === 'running',
    ).length
  while ((await countRunning()) < endpoints.length) await pause(500)
}

export async function readReport(nodeUrl: string): Promise<ChainsReport> {
  return JSON.parse(await get(`${nodeUrl}/report`, {}))
}

/** Counts what PostgreSQL did, on a connection whose own transactions are not counted. */
export async function watchStore(dataDir: string): Promise<{ read(): Promise<StoreWork>; close(): Promise<void> }> {
  const database = new pg.Client({ connectionString: await connectEmbedded(dataDir) })
  await database.connect()
  let own = 0
  return {
    async read() {
      own += 1
      const { rows } = await database.query(
        `select (select sum(xact_commit + xact_rollback) from pg_stat_database) as transactions,
          pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`,
      )
      return { transactions: Number(rows[0]?.transactions) - own, walBytes: Number(rows[0]?.bytes) }
    },
    close: () => database.end(),
  }
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
