import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { AccountRole, address, generateKeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWorkbench } from '../harness/cli.ts'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { type Harness, harness, type Person } from '../harness/index.ts'
import { startEvmNode } from '../nodes/evm.ts'
import { startSolana } from '../nodes/solana.ts'
import { startSubstrateNode } from '../nodes/substrate.ts'

/** Every command and file of docs/guide/walk.md, in their order, against a real node of each chain. */
const page = readFileSync(new URL('../../docs/guide/walk.md', import.meta.url), 'utf8')
const [intro = '', ...walks] = page.split(/^## /m)

/** A node on which the thing of the walk can be made to happen. `happen` returns the number of its block. */
type Stage = { url: string; variables: Record<string, string>; happen(): Promise<number>; close(): Promise<void> }

let house: Harness
let ann: Person
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
})
afterAll(async () => {
  await house?.close()
  receiver?.close()
})

const blocksOf = (text: string) =>
  [...text.matchAll(/^```(sh|yaml)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }))

test('the workspace is made by the command of the page', async () => {
  const [made] = blocksOf(intro)
  const env = { PATH: process.env.PATH, TOCSIN_URL: house.url, TOCSIN_TOKEN: ann.token }
  const { stdout } = await promisify(execFile)('sh', ['-c', made?.code ?? ''], { env })
  expect(JSON.parse(stdout)).toMatchObject({ fullname: 'acme' })
})

test.each([
  ['EVM', evmStage],
  ['Substrate', substrateStage],
  ['Solana', solanaStage],
] as const)(
  'the walk on %s builds, tests and subscribes a trigger',
  { timeout: 240_000 },
  async (chain, startStage) => {
    const walk = walks.find((text) => text.startsWith(`${chain}\n`)) ?? ''
    const stage = await startStage()
    const variables = { TOCSIN_URL: house.url, TOCSIN_TOKEN: ann.token, NODE_URL: stage.url, HOOK_URL: receiver.url }
    const bench = makeWorkbench({ ...variables, ...stage.variables })
    const block = String(await stage.happen())
    const outputs: Record<string, string> = {}
    for (const { language, code } of blocksOf(walk)) {
      if (language === 'yaml') bench.write(/^# (\S+)\n/.exec(code)?.[1] ?? '', code)
      else
        for (const line of code.trim().split('\n')) {
          if (line.startsWith('tocsin alerts')) await waitForWebhook(stage)
          const [, ...args] = line.replaceAll('$BLOCK', block).split(' ')
          const { code, out, err } = await bench.inside(...args)
          expect([line, code, err]).toEqual([line, args[0] === 'plan' ? 2 : 0, expect.any(String)])
          outputs[args[0] ?? ''] = out
        }
    }
    const id = chain.toLowerCase()
    expect(outputs.trigger).not.toContain('did not fire')
    expect(outputs.backtest).toContain(`acme.walk-${id}.moved: fired 1 times in 1 blocks`)
    expect(outputs.alerts).toContain(`acme.walk-${id}.moved`)
    bench.remove()
    await stage.close()
  },
)

/** The follower starts at the head of the moment, so the thing happens again until the webhook arrives. */
async function waitForWebhook(stage: Stage): Promise<void> {
  const before = receiver.received.length
  await until(
    async () => {
      await stage.happen()
      return receiver.received.length
    },
    (count) => count > before,
    120_000,
  )
}

async function evmStage(): Promise<Stage> {
  const node = await startEvmNode()
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`
  const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', word('aa'), word('bb')]
  const emit = () => node.emit(topics, word((5_000_000_000).toString(16)))
  const { contract } = await emit()
  const happen = async () => {
    await emit()
    return Number(await node.request('eth_blockNumber', []))
  }
  return { url: node.url, variables: { TOKEN: contract }, happen, close: node.close }
}

async function substrateStage(): Promise<Stage> {
  const node = await startSubstrateNode()
  const happen = async () => (await node.transfer(node.ann, node.bob, 20_000_000_000n)).number
  return { url: node.url, variables: { ACCOUNT: node.bob.address }, happen, close: node.close }
}

async function solanaStage(): Promise<Stage> {
  const node = await startSolana()
  const { address: receiverOfSol } = await generateKeyPairSigner()
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(1_000_000_000n, 4)
  const transfer = {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: node.payer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: receiverOfSol, role: AccountRole.WRITABLE },
    ],
    data,
  }
  const happen = async () => {
    await node.send([transfer])
    const slot = node.produceBlock()
    node.produceBlock()
    return slot
  }
  return { url: node.url, variables: { ACCOUNT: receiverOfSol }, happen, close: node.close }
}
