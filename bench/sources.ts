import { setTimeout as pause } from 'node:timers/promises'
import { followChains, percentile, readReport, watchStore } from './support/chain-sources.ts'
import { get, startServer } from './support/measure.ts'
import { cpuOfTree } from './support/process-tree.ts'
import { printRow } from './support/row.ts'
import { startHouse } from './support/runtime-house.ts'

/**
 * `npm run bench -- sources [n] [seconds]`: one process follows n EVM sources over web sockets, each with a block every two
 * seconds; every hundredth block has an event with a webhook. It shows how many blocks the reads are behind when the next
 * block is made, and what a block costs with everything: the service, its threads and its PostgreSQL.
 */
const [count = 500, seconds = 60] = process.argv.slice(2).map(Number)
const blockMs = 2_000
const matchEvery = 100

const node = await startServer('bench/support/chains-node.ts', [String(count), String(blockMs), String(matchEvery)], {})
const house = await startHouse()
const store = await watchStore(house.dataDir)
const endpoints = Array.from({ length: count }, (_, chain) => `${node.url.replace('http', 'ws')}/${chain}`)
await followChains(house, node.url, endpoints)
await pause(15_000)
await get(`${node.url}/reset`, {})
const [cpuBefore, before, startedAt] = [cpuOfTree(house.pid), await store.read(), performance.now()]
await pause(seconds * 1_000)
const [cpuAfter, after, tookMs] = [cpuOfTree(house.pid), await store.read(), performance.now() - startedAt]
const { lags, readMs, hooks, matches } = await readReport(node.url)
const perBlockMs = (cpuAfter - cpuBefore) / 1_000 / lags.length
const transactions = ((after.transactions - before.transactions) / tookMs) * 1_000
const late = lags.filter((lag) => lag > 1).length
const of = (numbers: readonly number[]) =>
  `p50 ${percentile(numbers, 0.5).toFixed(0)}, p95 ${percentile(numbers, 0.95).toFixed(0)}, p99 ${percentile(numbers, 0.99).toFixed(0)} ms`
console.log(`${count} sources, ${lags.length} blocks in ${(tookMs / 1_000).toFixed(0)} s`)
console.log(`block → logs read: ${of(readMs)}`)
console.log(`block → webhook: ${hooks.length} of ${matches}, ${of(hooks.map(({ ms }) => ms))}`)
console.log(
  `${perBlockMs.toFixed(2)} ms of CPU for a source and block, ${transactions.toFixed(1)} transactions a second, ` +
    `${(((cpuAfter - cpuBefore) / 1_000 / tookMs) * 100).toFixed(0)} % of a core`,
)
printRow({
  what: `lag of ${count} EVM sources in one process, a block every 2 s`,
  wanted: '≤ 1 block',
  seen: `${Math.max(...lags)} blocks; ${perBlockMs.toFixed(2)} ms of CPU a block`,
  ok: late === 0,
})
await store.close()
await house.close()
await node.stop()
process.exit()
