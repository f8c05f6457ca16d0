import { setTimeout as pause } from 'node:timers/promises'
import { followChains, readReport, watchStore } from './support/chain-sources.ts'
import { get, startServer } from './support/measure.ts'
import { cpuOfTree } from './support/process-tree.ts'
import { printRow } from './support/row.ts'
import { startHouse } from './support/runtime-house.ts'

/**
 * `npm run bench -- quiet [sources] [seconds]`: what the whole service (with its PostgreSQL) costs while it follows
 * sources in which nothing matches, half of them over web sockets and half over HTTP, with a block every two seconds. A plain
 * script asks the same nodes for the same blocks at the same time: that is what asking the nodes costs.
 */
const [count = 10, seconds = 60] = process.argv.slice(2).map(Number)
const blockMs = 2_000
const warmUpMs = 20_000

const node = await startServer('bench/support/chains-node.ts', [String(count), String(blockMs), '0'], {})
const endpoints = Array.from({ length: count }, (_, index) =>
  index % 2 === 0 ? `${node.url}/${index}` : `${node.url.replace('http', 'ws')}/${index}`,
)
const house = await startHouse()
const store = await watchStore(house.dataDir)
await measure('no source')
await followChains(house, node.url, endpoints)
const plain = await startServer('bench/support/plain-follower.ts', [String(blockMs), ...endpoints], {})
const busy = await measure(`${count} sources without matches`, plain.pid)
const { lags } = await readReport(node.url)
console.log(`blocks that had not been read when the next one was made: ${lags.filter((lag) => lag > 0).length}`)
const what = `idle, ${count} followed sources`
printRow({
  what: `${what}: CPU beyond asking the nodes`,
  wanted: '≤ 2 % of a core',
  seen: `${busy.beyond.toFixed(1)} %`,
  ok: busy.beyond <= 2,
})
printRow({
  what: `${what}: transactions`,
  wanted: '≤ 5 a second',
  seen: `${busy.transactions.toFixed(1)} a second`,
  ok: busy.transactions <= 5,
})
await plain.stop()
await store.close()
await house.close()
await node.stop()
process.exit()

async function measure(what: string, plainPid?: number): Promise<{ beyond: number; transactions: number }> {
  await pause(warmUpMs)
  await get(`${node.url}/reset`, {})
  const cpuOf = () => [cpuOfTree(house.pid), plainPid === undefined ? 0 : cpuOfTree(plainPid)]
  const [cpuBefore, before, startedAt] = [cpuOf(), await store.read(), performance.now()]
  await pause(seconds * 1_000)
  const [cpuAfter, after, tookMs] = [cpuOf(), await store.read(), performance.now() - startedAt]
  const share = (at: number) => ((cpuAfter[at] ?? 0) - (cpuBefore[at] ?? 0)) / tookMs / 10
  const transactions = ((after.transactions - before.transactions) / tookMs) * 1_000
  const walKb = (after.walBytes - before.walBytes) / tookMs
  console.log(
    `${what}: ${share(0).toFixed(1)} % of a core (asking alone: ${share(1).toFixed(1)} %), ` +
      `${transactions.toFixed(1)} transactions and ${walKb.toFixed(1)} kB of WAL a second`,
  )
  return { beyond: share(0) - share(1), transactions }
}
