import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../server/src/engine/base/source-item.ts'
import { openDoor } from '../../server/src/engine/outbound/index.ts'
import type { Connection } from '../../server/src/engine/sources/connection.ts'
import { evm } from '../../server/src/engine/sources/evm/index.ts'
import { prepareOneTrigger } from '../../server/src/engine/sources/one-trigger.ts'
import { type EvmNode, startEvmNode } from './evm.ts'
import { type Fault, faultyEndpoint } from './faulty-endpoint.ts'

export const alice = `0x${'aa'.repeat(20)}` as const
export const bob = `0x${'bb'.repeat(20)}` as const
export const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A node, the engine's connection to it, and helpers for both; `close` closes everything that was opened here. */
export async function connectedEvm() {
  const door = openDoor({ allowPrivateNetworks: true })
  const options = { door, timeoutMs: 2000, responseBytesMax: 10_000_000 }
  const opened: { close(): Promise<void> }[] = [door]
  const keep = <T extends { close(): Promise<void> }>(each: T): T => {
    opened.unshift(each)
    return each
  }
  const start = async (...given: Parameters<typeof startEvmNode>) => keep(await startEvmNode(...given))
  const node = await start()
  const connectTo = (...urls: string[]) => keep(evm.connect(urls, options))
  const connection = connectTo(node.url)
  return {
    node,
    connection,
    options,
    start,
    connectTo,
    faulty: async (fault: (method: string, params: unknown[]) => Fault) =>
      keep(await faultyEndpoint(node.url, ({ method, params }) => fault(method, params))),
    match: (spec: TriggerSpec, hash: string) => matchIn(connection, spec, hash),
    emitTransfer: (value = 5n * 10n ** 18n) => emitTransfer(node, value),
    close: async () => {
      for (const each of opened) await each.close()
    },
  }
}

export function logSpec(spec: object): TriggerSpec {
  return { type: 'evm_log', dataSource: 'acme.chain', ...spec }
}

async function matchIn(connection: Connection, spec: TriggerSpec, hash: string): Promise<SourceItem[]> {
  const trigger = await prepareOneTrigger(evm, spec)
  const block = await connection.blockOfTransaction(hash, trigger.items.neededParts)
  return trigger.match(block!)
}

function emitTransfer(node: EvmNode, value: bigint) {
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`
  return node.emit([transferTopic, word(alice.slice(2)), word(bob.slice(2))], word(value.toString(16)))
}
