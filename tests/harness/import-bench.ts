/** Definitions of another tool, imported by the command, applied to a service, and tried on the blocks of a real node. */
import { toEventSelector, toHex } from 'viem'
import { expect } from 'vitest'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { makeWorkbench, type Workbench } from './cli.ts'
import { type Receiver, startReceiver } from './deliveries.ts'
import { until } from './following.ts'
import { harness, type Person } from './index.ts'

const address = (name: string) => ({ name, type: 'address', indexed: true })
export const transferEvent = {
  type: 'event',
  name: 'Transfer',
  inputs: [address('from'), address('to'), { name: 'value', type: 'uint256', indexed: false }],
}
export const transferTopic = toEventSelector('Transfer(address,address,uint256)')
export const ann = `0x${'a1'.repeat(20)}` as const
export const bob = `0x${'b2'.repeat(20)}` as const
export const safe = `0x${'c3'.repeat(20)}` as const
export const word = (value: bigint) => toHex(value, { size: 32 })

export type ImportBench = {
  node: EvmNode
  receiver: Receiver
  /** An empty stack of the workspace acme. */
  workbench(stack: string, env?: Record<string, string>): Workbench
  /** Validates and applies the files of a stack, and waits until the source is followed. */
  apply(bench: Workbench, source: string): Promise<void>
  /** Calls a contract with these words, which an emitter turns into a log. */
  emit(to: string, ...words: string[]): Promise<string>
  close(): Promise<void>
}

export async function startImportBench(): Promise<ImportBench> {
  const [house, node, receiver] = await Promise.all([
    harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' }),
    startEvmNode({ traces: 'debug_traceBlockByHash' }),
    startReceiver(),
  ])
  const owner = await house.person('ann')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  return {
    node,
    receiver,
    workbench(stack, env = {}) {
      const bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: owner.token, ...env })
      bench.write('tocsin.yaml', `apiVersion: 1\nworkspace: acme\nstack: ${stack}\n`)
      return bench
    },
    apply: (bench, source) => applied(bench, source, owner),
    emit: (to, ...words) => node.send({ to, data: `0x${words.map((each) => each.slice(2)).join('')}` }),
    async close() {
      receiver.close()
      await house.close()
      await node.close()
    },
  }
}

async function applied(bench: Workbench, source: string, owner: Person): Promise<void> {
  expect(await bench.inside('validate')).toMatchObject({ code: 0, err: '' })
  expect(await bench.inside('apply', '--yes')).toMatchObject({ code: 0, err: '' })
  expect(await bench.inside('plan')).toMatchObject({ code: 0 })
  await until(
    () => owner.getCustomSource({ fullname: source }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
}

/** Imports, and returns the outcome of each definition. */
export async function report(bench: Workbench, ...args: string[]): Promise<Record<string, string>> {
  const imported = await bench.inside('import', ...args, '--json')
  expect(imported).toMatchObject({ code: 0, err: '' })
  const lines: { definition: string; outcome: string }[] = JSON.parse(imported.out).report
  return Object.fromEntries(lines.map(({ definition, outcome }) => [definition, outcome]))
}
