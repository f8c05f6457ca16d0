import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectEmbedded } from '../server/src/store/embedded/index.ts'
import { project, subscription, trigger } from '../tests/harness/records.ts'
import { followChains, readReport, watchStore } from './support/chain-sources.ts'
import { get, rssMegabytes, startServer } from './support/measure.ts'
import { cpuOfTree } from './support/process-tree.ts'
import { printRow } from './support/row.ts'
import { startHouse } from './support/runtime-house.ts'

/**
 * `npm run bench -- idle [sources] [seconds]`: what the service costs while nothing happens. First the whole service (with
 * its PostgreSQL) follows sources in which nothing matches, half of them over web sockets and half over HTTP, with a block
 * every two seconds; a plain script asks the same nodes for the same blocks at the same time, and that cost is taken off.
 * Then a service starts with 10,000 triggers and 100,000 subscriptions.
 */
const [sources = 10, seconds = 60] = process.argv.slice(2).map(Number)
const [blockMs, warmUpMs] = [2_000, 20_000]
const [triggers, subscriptions] = [10_000, 100_000]

await followSources()
await startWithTriggers()
process.exit()

async function followSources(): Promise<void> {
  const node = await startServer('bench/support/chains-node.ts', [String(sources), String(blockMs), '0'], {})
  const endpoints = Array.from({ length: sources }, (_, index) =>
    index % 2 === 0 ? `${node.url}/${index}` : `${node.url.replace('http', 'ws')}/${index}`,
  )
  const house = await startHouse()
  const store = await watchStore(house.dataDir)
  await followChains(house, node.url, endpoints)
  const plain = await startServer('bench/support/plain-follower.ts', [String(blockMs), ...endpoints], {})
  await pause(warmUpMs)
  await get(`${node.url}/reset`, {})
  const cpuOf = () => [cpuOfTree(house.pid), cpuOfTree(plain.pid)]
  const [cpuBefore, before, startedAt] = [cpuOf(), await store.read(), performance.now()]
  await pause(seconds * 1_000)
  const [cpuAfter, after, tookMs] = [cpuOf(), await store.read(), performance.now() - startedAt]
  const share = (at: number) => ((cpuAfter[at] ?? 0) - (cpuBefore[at] ?? 0)) / tookMs / 10
  const beyond = share(0) - share(1)
  const transactions = ((after.transactions - before.transactions) / tookMs) * 1_000
  const { lags } = await readReport(node.url)
  console.log(`blocks that had not been read when the next one was made: ${lags.filter((lag) => lag > 0).length}`)
  const what = `idle, ${sources} followed sources`
  printRow({
    what: `${what}: CPU beyond asking the nodes`,
    wanted: '≤ 2 % of a core',
    seen: `${beyond.toFixed(1)} %`,
    ok: beyond <= 2,
    details: `asking alone: ${share(1).toFixed(1)} %`,
  })
  printRow({
    what: `${what}: transactions`,
    wanted: '≤ 5 a second',
    seen: `${transactions.toFixed(1)} a second`,
    ok: transactions <= 5,
    details: `${((after.walBytes - before.walBytes) / tookMs).toFixed(1)} kB of WAL a second`,
  })
  await plain.stop()
  await store.close()
  await house.close()
  await node.stop()
}

async function startWithTriggers(): Promise<void> {
  const house = await startHouse()
  const { client } = house
  await client.saveWorkspace({ fullname: 'bench', body: { fullname: 'bench' } })
  await client.saveProject({ fullname: 'bench.p', body: project('bench.p') })
  await client.saveCustomSource({
    fullname: 'bench.s',
    body: {
      mode: 'create',
      name: 's',
      fullname: 'bench.s',
      workspace: 'bench',
      kind: 'evm',
      endpoints: ['http://127.0.0.1:9'],
      meta: { title: 'Nothing is there' },
    },
  })
  const triggerSpec = {
    type: 'evm_log',
    dataSource: 'bench.s',
    abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 value)',
  } as const
  const filtersSchema = { to: { type: 'address', sourcePath: 'params.to' } }
  await client.saveTrigger({ fullname: 'bench.p.t', body: trigger('bench.p.t', { triggerSpec, filtersSchema }) })
  await client.createSubscription({
    body: subscription('bench.p.t', { conditions: { param: 'to', op: 'eq', value: `0x${'a'.repeat(40)}` } }),
  })
  await multiply(await connectEmbedded(house.dataDir))
  await house.stop()

  const env = {
    PORT: '0',
    DATA_DIR: house.dataDir,
    MARKETPLACE: 'off',
    LOG_LEVEL: 'error',
    ALLOW_PRIVATE_NETWORKS: 'on',
  }
  const server = await startServer('server/src/main.ts', [], env)
  await pause(15_000)
  const what = 'idle, 10,000 triggers and 100,000 subscriptions'
  const megabytes = Math.round(rssMegabytes(server.pid))
  printRow({ what, part: 'memory of node', wanted: '< 350 MB', seen: `${megabytes} MB`, ok: megabytes < 350 })
  printRow({
    what,
    part: 'start',
    wanted: '< 10 s',
    seen: `${(server.startMs / 1000).toFixed(1)} s`,
    ok: server.startMs < 10_000,
  })
  await server.stop()
  await house.close()
}

/** Copies the trigger and its subscription; each copy has its own contract and wallet. */
async function multiply(url: string | undefined): Promise<void> {
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  await database.query(
    `insert into triggers (id, project_id, name, fullname, definition, providers, data_source, status, tags, labels, meta,
       version, created_at, updated_at)
     select 't' || n, project_id, 't' || n, fullname || n,
       jsonb_set(definition::jsonb, '{triggerSpec,contract}', to_jsonb('0x' || lpad(to_hex(n), 40, '0')))::json, providers,
       data_source, status, tags, labels, meta, version, created_at, updated_at
     from triggers, generate_series(1, $1) n where fullname = 'bench.p.t'`,
    [triggers - 1],
  )
  await database.query(
    `insert into subscriptions (id, account_id, workspace_id, project_id, trigger_id, inputs, conditions, meta, created_at,
       updated_at)
     select 's' || n, account_id, workspace_id, project_id, case when n < $1 then 't' || n else trigger_id end, inputs,
       jsonb_set(conditions::jsonb, '{value}', to_jsonb('0x' || lpad(to_hex(n), 40, 'b')))::json, meta, created_at, updated_at
     from subscriptions, generate_series(1, $2) n`,
    [triggers, subscriptions - 1],
  )
  await database.end()
}
