import type { Condition } from '@tocsin/contract'
import { type AbiItem, signatureOf } from '../evm/signatures.ts'
import { Impossible } from '../importer.ts'
import type { Detail, Factory } from './manifest.ts'
import type { Networks } from './networks.ts'

/** Where the events of a contract come from. One that cannot be imported says why. */
export type Target = {
  network: string
  source: string
  chainId: number
  contract?: string | string[] | { factory: Record<string, unknown> }
  /** The events that are followed; without it all that the contract includes. */
  events?: string[]
  indexed: Detail['indexed_filters']
  endBlock?: number | undefined
}

/** A detail is one target, except that a factory with several addresses or inputs is one for each pair. */
export function targetsOf(detail: Detail, networks: Networks, readAbi: (path: string) => AbiItem[]): Target[] {
  const network = networks.get(detail.network)
  if (!network) throw new Impossible(`the network ${detail.network} is not among the networks`)
  const { address, factory, filter, end_block: endBlock } = detail
  const base = { network: detail.network, ...network, indexed: detail.indexed_filters, endBlock }
  if (address) return [{ ...base, contract: address.length === 1 ? (address[0] ?? '') : address }]
  if (factory) return factoriesOf(factory, detail.start_block, readAbi).map((contract) => ({ ...base, contract }))
  if (!filter) throw new Impossible('a detail names neither an address nor a filter nor a factory')
  return [{ ...base, events: filter.map(({ event_name }) => event_name) }]
}

function factoriesOf(factory: Factory, fromBlock: number | undefined, readAbi: (path: string) => AbiItem[]) {
  const { address, abi, event_name, input_name } = factory
  const fragment = readAbi(abi).find(({ type, name }) => type === 'event' && name === event_name)
  if (!fragment) throw new Impossible(`the ABI of the factory ${factory.name} has no event ${event_name}`)
  const nested = input_name.find((name) => name.includes('.'))
  if (nested !== undefined) throw new Impossible(`the input ${nested} of the factory lies inside a tuple`)
  const event = signatureOf(fragment)
  return address.flatMap((contract) =>
    input_name.map((parameter) => ({
      factory: { contract, event, abiFragment: [fragment], parameter, ...(fromBlock !== undefined && { fromBlock }) },
    })),
  )
}

/** The values of indexed parameters that are wanted, and the last block. */
export function targetConditions({ indexed, endBlock }: Target, event: string, block: string): Condition[] {
  const filter = indexed.find(({ event_name }) => event_name === event)
  const topics = [filter?.indexed_1, filter?.indexed_2, filter?.indexed_3].flatMap((values, at): Condition[] =>
    values ? [{ param: `source.topics.${at + 1}`, op: 'in', value: values.map(topicOf) }] : [],
  )
  return endBlock === undefined ? topics : [...topics, { param: block, op: 'lte', value: endBlock }]
}

/** A value as the word of a topic. */
function topicOf(text: string): string {
  const lower = text.toLowerCase()
  const word = lower === 'true' ? '1' : lower === 'false' ? '0' : lower
  if (!/^(?:0x[0-9a-f]+|\d+)$/.test(word))
    throw new Impossible(`it filters by the indexed text "${text}": write the hash of the text`)
  return `0x${BigInt(word).toString(16).padStart(64, '0')}`
}
