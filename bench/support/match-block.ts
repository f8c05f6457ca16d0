import type { Condition } from '@tocsin/contract'
import { AbiEvent } from 'ox'
import { compileEarlyFilter, requirementsOf } from '../../server/src/engine/conditions/index.ts'
import {
  type EventInput,
  type EvmLogKeys,
  type IndexEntry,
  makeTriggerIndex,
  type TriggerIndex,
} from '../../server/src/engine/index/index.ts'
import type { SourceItem } from '../../server/src/engine/world.ts'
import { approval, type EvmBlock, type Log, swapV2, swapV3, transfer } from './evm-blocks.ts'

export type KnownEvent = { topic0: string; inputs: EventInput[]; abi: AbiEvent.AbiEvent; dataBytes: number }
export type Entry = IndexEntry & { event: KnownEvent; conditions: Condition; meets?: (item: unknown) => boolean }

const indexed = (name: string) => ({ name, type: 'address', indexed: true })
const amounts = (type: string, ...names: string[]) => names.map((name) => ({ name, type, indexed: false }))

export const transferEvent = known(transfer, 'Transfer', [
  indexed('from'),
  indexed('to'),
  ...amounts('uint256', 'value'),
])
export const otherEvents: KnownEvent[] = [
  known(approval, 'Approval', [indexed('from'), indexed('to'), ...amounts('uint256', 'value')]),
  known(swapV2, 'Swap', [
    indexed('from'),
    ...amounts('uint256', 'value', 'amount1In', 'amount0Out', 'amount1Out'),
    indexed('to'),
  ]),
  known(swapV3, 'Swap', [
    indexed('from'),
    indexed('to'),
    ...amounts('int256', 'value', 'amount1'),
    ...amounts('uint160', 'sqrtPriceX96'),
    ...amounts('uint128', 'liquidity'),
    ...amounts('int24', 'tick'),
  ]),
]

function known(topic0: string, name: string, inputs: EventInput[]): KnownEvent {
  const dataBytes = 32 * inputs.filter((input) => !input.indexed).length
  return { topic0, inputs, dataBytes, abi: AbiEvent.from(JSON.parse(JSON.stringify({ type: 'event', name, inputs }))) }
}

export const filtersSchema = {
  from: { type: 'address', sourcePath: 'params.from' },
  to: { type: 'address', sourcePath: 'params.to' },
  value: { type: 'balance', decimals: 0, sourcePath: 'params.value' },
}

export function keysOf(event: KnownEvent, address?: string): EvmLogKeys {
  const { topic0, inputs, dataBytes } = event
  return { type: 'evm_log', address, topic0, topicsCount: 3, dataBytes, inputs }
}

export type Index = TriggerIndex<Entry>

export function makeIndex(count: number, makeEntry: (index: number) => Omit<Entry, 'id' | 'requirements'>): Index {
  const index = makeTriggerIndex<Entry>()
  for (let at = 0; at < count; at++) {
    const entry = makeEntry(at)
    index.add({ ...entry, id: String(at), requirements: requirementsOf(entry.conditions, { filtersSchema }) })
  }
  return index
}

/** What ingesting a block does: look up, decode what somebody may want, verify, and count who is concerned. */
export function matchBlock({ logs }: EvmBlock, index: Index): number {
  let concerned = 0
  for (const { address, topics, data } of logs) {
    const candidates = index.candidates({ type: 'evm_log', address, topics, data })
    if (candidates.length === 0) continue
    const items = new Map<KnownEvent, SourceItem | undefined>()
    for (const entry of candidates) if (isConcerned(entry, { address, topics, data }, items)) concerned++
  }
  return concerned
}

function isConcerned(entry: Entry, log: Log, items: Map<KnownEvent, SourceItem | undefined>): boolean {
  if (!items.has(entry.event)) items.set(entry.event, decode(entry.event, log))
  entry.meets ??= compileEarlyFilter(entry.conditions, { filtersSchema })
  const item = items.get(entry.event)
  return item !== undefined && entry.meets(item)
}

function decode({ abi }: KnownEvent, { address, topics, data }: Log): SourceItem | undefined {
  const [first, ...rest] = topics.map(hex)
  if (!first) return undefined
  const decoded: unknown = AbiEvent.decode(
    abi,
    { topics: [first, ...rest], data: hex(data) },
    { checksumAddress: false },
  )
  return { address, topics, params: plain(decoded) }
}

function plain(decoded: unknown): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(decoded ?? {}))
    params[name] = typeof value === 'bigint' ? String(value) : value
  return params
}

function hex(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}
