import { setTimeout as pause } from 'node:timers/promises'
import { followChains, type Hook, percentile, readReport } from './support/chain-sources.ts'
import { get, startServer } from './support/measure.ts'
import { printRow } from './support/row.ts'
import { startHouse, transferTopic } from './support/runtime-house.ts'

/**
 * `npm run bench -- latency [seconds]`: the time from making a block to the arrival of its webhook. First over a web socket
 * with a block every 120 ms, beside a plain script with viem on the same chain; then over HTTP for block times of 1, 2 and
 * 12 seconds. The node and the receiver are one process of their own, so one clock measures both ends.
 */
const [seconds = 100] = process.argv.slice(2).map(Number)
const socketSeconds = 25
const httpBlockMs = [1_000, 2_000, 12_000]
/** The service knows a block time after a few blocks. */
const learnMs = 62_000

await measureSocket()
await measureHttp()
process.exit()

async function measureSocket(): Promise<void> {
  const node = await startServer('bench/support/chains-node.ts', ['1', '120', '1'], {})
  const endpoint = `${node.url.replace('http', 'ws')}/0`
  const house = await startHouse()
  await followChains(house, node.url, [endpoint])
  const plain = await startServer('bench/support/plain-script.ts', [endpoint, `${node.url}/plain`, transferTopic], {})
  await pause(5_000)
  await get(`${node.url}/reset`, {})
  await pause(socketSeconds * 1_000)
  const { hooks, plain: byPlain } = await readReport(node.url)
  show('plain script', byPlain)
  const [p50, p99] = [percentile(msOf(hooks), 0.5), percentile(msOf(hooks), 0.99)]
  show('web socket', hooks)
  const what = 'block → webhook over a web socket'
  printRow({ what, part: 'p50', wanted: '≤ 25 ms', seen: `${p50.toFixed(1)} ms`, ok: p50 <= 25 })
  printRow({ what, part: 'p99', wanted: '≤ 100 ms', seen: `${p99.toFixed(1)} ms`, ok: p99 <= 100 })
  await plain.stop()
  await house.close()
  await node.stop()
}

async function measureHttp(): Promise<void> {
  const node = await startServer('bench/support/chains-node.ts', ['3', httpBlockMs.join(','), '1'], {})
  const house = await startHouse()
  await followChains(
    house,
    node.url,
    httpBlockMs.map((_, chain) => `${node.url}/${chain}`),
  )
  await pause(learnMs)
  await get(`${node.url}/reset`, {})
  await pause(seconds * 1_000)
  const { hooks } = await readReport(node.url)
  for (const [chain, blockMs] of httpBlockMs.entries()) {
    const own = hooks.filter((hook) => hook.chain === chain)
    const [p50, wantedMs] = [percentile(msOf(own), 0.5), blockMs / 4 + 50]
    show(`HTTP, a block every ${blockMs / 1_000} s`, own)
    printRow({
      what: 'block → webhook over HTTP, p50, by the time between blocks',
      part: `${blockMs / 1_000} s`,
      wanted: `≤ ${wantedMs} ms`,
      seen: `${p50.toFixed(0)} ms`,
      ok: p50 <= wantedMs,
    })
  }
  await house.close()
  await node.stop()
}

function msOf(hooks: readonly Hook[]): number[] {
  return hooks.map(({ ms }) => ms)
}

function show(what: string, hooks: readonly Hook[]): void {
  const at = (share: number) => percentile(msOf(hooks), share).toFixed(1)
  console.log(`${what}: ${hooks.length} webhooks, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`)
}
