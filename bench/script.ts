import { type ScriptContext, startScripts } from '../server/src/engine/script/index.ts'
import { median } from './support/measure.ts'
import { cpuOfTree } from './support/process-tree.ts'
import { printRow } from './support/row.ts'

/**
 * `npm run bench -- script`: a batched transform in the sandbox against `new Function` + JSON, in one run.
 */
const batch = 100
const rounds = 14

const body = `
  const decimals = providers.token.decimals
  const group = (text) => text.replace(/\\B(?=(\\d{3})+$)/g, ',')
  const [whole, fraction = ''] = helpers.formatUnits(source.params.value, decimals).split('.')
  const amount = fraction ? group(whole) + '.' + fraction : group(whole)
  const usd = Number(BigInt(source.params.value) / 10n ** BigInt(decimals - 2)) / 100 * providers.price.usd
  const fee = BigInt(source.gasUsed) * BigInt(source.gasPrice)
  return {
    kind: usd > inputs.largeUsd ? 'large' : 'normal', amount, usd: Math.round(usd * 100) / 100, symbol: providers.token.symbol,
    from: source.params.from, to: source.params.to, short: { from: helpers.shorten(source.params.from), to: helpers.shorten(source.params.to) },
    fee: { wei: String(fee), ether: helpers.formatUnits(fee, 18) }, at: new Date(source.blockTimestamp * 1000).toISOString(),
    block: source.blockNumber, index: source.index, transaction: source.transactionHash,
    links: { transaction: inputs.explorer + '/tx/' + source.transactionHash, token: inputs.explorer + '/token/' + source.address, from: inputs.explorer + '/address/' + source.params.from, to: inputs.explorer + '/address/' + source.params.to },
    text: amount + ' ' + providers.token.symbol + ' ($' + group(String(Math.round(usd))) + ') moved from ' + helpers.shorten(source.params.from) + ' to ' + helpers.shorten(source.params.to),
  }`

const address = (n: number) => `0x${n.toString(16).padStart(40, 'abcdef0123456789')}`
const topic = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

function contextOf(n: number): ScriptContext {
  const params = { from: address(n), to: address(n + 1), value: `${987_654_321n * BigInt(n + 1) * 10n ** 12n}` }
  return {
    source: {
      address: address(7),
      blockNumber: 21_000_000 + n,
      blockHash: topic(n),
      blockTimestamp: 1_730_000_000 + n * 12,
      transactionHash: topic(n * 31),
      transactionIndex: n,
      data: topic(n * 7) + 'f'.repeat(128),
      index: n * 2,
      gasUsed: '51234',
      gasPrice: '12345678901',
      topics: [topic(1), topic(n), topic(n + 1)],
      event: 'Transfer',
      args: Object.values(params),
      params,
    },
    inputs: { largeUsd: 100_000, explorer: 'https://explorer.example' },
    providers: { token: { symbol: 'TOC', decimals: 18 }, price: { usd: 1.0431 } },
  }
}

const contexts = Array.from({ length: batch }, (_, n) => contextOf(n))
const scripts = startScripts({ children: 1, idleMs: 3600_000 })
const plain = await makePlain()

const sandboxed = async () => {
  const results = await scripts.run({ kind: 'raw', source: body }, contexts, { nowMs: 0 })
  return results.map((result) => (result.ok ? result.value : result.message))
}
await sandboxed()
const [bytesIn, bytesOut] = [JSON.stringify(contexts[0]).length, JSON.stringify((await sandboxed())[0]).length]
if (JSON.stringify(await sandboxed()) !== JSON.stringify(plain())) throw new Error('the sandbox gives another result')

const cpuMicros = () => cpuOfTree(process.pid)

const measured: { ours: number; floor: number }[] = []
for (let round = 0; round < rounds; round++) {
  const floor = await microsPerItem(async () => plain(), 60)
  const ours = await microsPerItem(sandboxed, 20)
  if (round > 1) measured.push({ ours, floor })
}
const [ours, floor] = [median(measured.map(({ ours }) => ours)), median(measured.map(({ floor }) => floor))]
const ratio = median(measured.map(({ ours, floor }) => ours / floor))
printRow({
  what: `CPU of a transform of ${bytesIn} bytes, against new Function + JSON`,
  wanted: '≤ 7 ×',
  seen: `${ratio.toFixed(2)} × (${ours.toFixed(1)} µs)`,
  ok: ratio <= 7,
  details: `${floor.toFixed(1)} µs without the sandbox; ${bytesOut} bytes of output, ${batch} items a batch`,
})
await scripts.close()

async function microsPerItem(run: () => Promise<unknown>, times: number): Promise<number> {
  const before = cpuMicros()
  for (let time = 0; time < times; time++) await run()
  return (cpuMicros() - before) / (times * batch)
}

/** The baseline: the same code and the same JSON in and out, without a sandbox. */
async function makePlain(): Promise<() => unknown[]> {
  const { makeHelpers } = await import('../server/src/engine/script/child/guest-helpers.ts')
  const helpers = makeHelpers()
  const call = new Function('source', 'inputs', 'providers', 'helpers', body)
  return () =>
    contexts.map((context) => {
      const { source, inputs, providers } = JSON.parse(JSON.stringify(context))
      return JSON.parse(JSON.stringify(call(source, inputs, providers, helpers)))
    })
}
