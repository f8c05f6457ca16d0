import type { InspectedEntry } from '@tocsin/contract'
import { makePauses } from '../../../base/event-loop-turns.ts'
import { evmItemOf } from '../abi/abi-items.ts'
import { decoderOf } from '../abi/codec.ts'
import { eventDecoder } from '../abi/event-decoder.ts'
import { isUsable } from '../abi/plain-value.ts'
import type { AbiItem } from '../abi/read-abi.ts'
import { selectorOf } from '../abi/selector.ts'
import type { Entry } from './abi-entries.ts'
import type { ChainReads, FoundLog } from './chain-reads.ts'
import type { RecentCall } from './recent-calls.ts'

type Latest = NonNullable<InspectedEntry['latest']>

/** How many blocks are read for the time of examples; most nodes send it with the log. */
const blocksMax = 10

/** Counts the logs of each event, oldest first, and decodes the latest. The most frequent events come first. */
export async function countEvents(
  reads: ChainReads,
  entries: readonly Entry[],
  logs: readonly FoundLog[],
): Promise<InspectedEntry[]> {
  const byTopic = Map.groupBy(logs, ({ topics }) => topics[0])
  const pause = makePauses()
  const found: (ReturnType<typeof findLogs> & { entry: Entry })[] = []
  for (const entry of entries) {
    await pause()
    found.push({ entry, ...findLogs(entry.item, byTopic) })
  }
  const times = await timesOf(reads, found)
  const counted = found.map(({ entry, count, latest, params }) => {
    const timeMs = latest && (latest.timeMs ?? times.get(latest.block))
    return inspected(entry, count, latest && example(latest.block, latest.transactionHash, timeMs, params))
  })
  return frequentFirst(counted)
}

function findLogs(item: AbiItem, byTopic: ReadonlyMap<string | undefined, readonly FoundLog[]>) {
  const { decode, forms } = eventDecoder(evmItemOf(item))
  const decoded = (byTopic.get(forms[0]?.topic0) ?? []).flatMap((log) => {
    const event = decode(log)
    return event ? [{ latest: log, params: event.params }] : []
  })
  return { count: decoded.length, latest: decoded.at(-1)?.latest, params: decoded.at(-1)?.params ?? {} }
}

async function timesOf(reads: ChainReads, found: { latest: FoundLog | undefined }[]): Promise<Map<number, number>> {
  const withoutTime = found.flatMap(({ latest }) => (latest && latest.timeMs === undefined ? [latest.block] : []))
  const blocks = [...new Set(withoutTime)].sort((a, b) => b - a).slice(0, blocksMax)
  const times = await Promise.all(
    blocks.map(async (number): Promise<[number, number][]> => {
      const block = await reads.block(number, false)
      return block ? [[number, block.timeMs]] : []
    }),
  )
  return new Map(times.flat())
}

/** Counts the transactions that called each function, oldest first, and decodes the latest. */
export function countCalls(entries: readonly Entry[], calls: readonly RecentCall[]): InspectedEntry[] {
  const bySelector = Map.groupBy(calls, ({ input }) => input.slice(0, 10))
  const counted = entries.map((entry) => {
    const ofEntry = bySelector.get(selectorOf(entry.signature)) ?? []
    const latest = ofEntry.at(-1)
    const params = latest && paramsOf(entry.item, latest.input)
    return inspected(entry, ofEntry.length, latest && example(latest.block, latest.hash, latest.timeMs, params ?? {}))
  })
  return frequentFirst(counted)
}

/** Undefined if the input is not that of the function; the contract may have reverted then. */
function paramsOf(item: AbiItem, input: string): Record<string, unknown> | undefined {
  const { inputs } = evmItemOf(item)
  try {
    const values = decoderOf(inputs)(`0x${input.slice(10)}`)
    return Object.fromEntries(inputs.flatMap(({ name }, at) => (isUsable(name) ? [[name, values[at]]] : [])))
  } catch {
    return undefined
  }
}

function example(
  block: number,
  transaction: string,
  timeMs: number | undefined,
  params: Record<string, unknown>,
): Latest {
  return { block, transaction, ...(timeMs !== undefined && { time: new Date(timeMs).toISOString() }), params }
}

function inspected({ item, ...entry }: Entry, count: number, latest: Latest | undefined): InspectedEntry {
  return { ...entry, fragment: item.json, count, ...(latest && { latest }) }
}

function frequentFirst(entries: InspectedEntry[]): InspectedEntry[] {
  return entries.toSorted((a, b) => b.count - a.count)
}
