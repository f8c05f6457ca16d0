import type { ChainBlock, Matcher, SourceItem } from '../../world.ts'
import { type EvmLog, requireLogs } from './contents.ts'
import type { DecodedEvent, EventDecoder } from './event-decoder.ts'
import { type EvmLogSpec, specEvents } from './spec-events.ts'

/** A matcher of logs, with what an index needs to ask it about few logs only. */
export type LogMatcher = Matcher & {
  /** In lower case; absent: any contract. */
  contract?: string
  /** Absent: any, because the spec names no event or an anonymous one. */
  topic0s?: readonly string[]
  matchLog(block: ChainBlock, timestamp: number, log: EvmLog): SourceItem | undefined
}

const unnamed = { event: null, args: [], params: {} }

export async function logMatcher(spec: EvmLogSpec): Promise<LogMatcher> {
  const events = (await specEvents(spec))?.sort(anonymousLast)
  const contract = spec.contract?.toLowerCase()
  const matchLog = (block: ChainBlock, timestamp: number, log: EvmLog) => {
    if (!hasShape(log, spec, contract)) return undefined
    const decoded = events ? decodeFirst(events, log) : unnamed
    return decoded && logItem(block, timestamp, log, decoded)
  }
  return {
    contract,
    topic0s: topicsOf(events),
    looksAt: ['logs'],
    matchLog,
    match(block) {
      const { timestamp, logs } = requireLogs(block)
      return logs.map((log) => matchLog(block, timestamp, log)).filter((item) => item !== undefined)
    },
  }
}

/** ERC-20 and ERC-721 Transfer share their signature and differ in these counts. */
function hasShape(log: EvmLog, spec: EvmLogSpec, contract: string | undefined): boolean {
  if (contract !== undefined && log.address !== contract) return false
  if (spec.topicsCount !== undefined && log.topics.length !== spec.topicsCount) return false
  return spec.dataBytes === undefined || log.data.length === 2 + 2 * spec.dataBytes
}

/** An anonymous event may happen to fit bytes that are another's. */
function anonymousLast(a: EventDecoder, b: EventDecoder): number {
  return Number(a.topic0 === undefined) - Number(b.topic0 === undefined)
}

function decodeFirst(events: readonly EventDecoder[], log: EvmLog): DecodedEvent | undefined {
  for (const event of events) {
    const decoded = event.decode(log)
    if (decoded) return decoded
  }
  return undefined
}

function topicsOf(events: readonly EventDecoder[] | undefined): string[] | undefined {
  const topics = events?.flatMap(({ topic0 }) => topic0 ?? [])
  return topics && topics.length === events?.length ? [...new Set(topics)] : undefined
}

function logItem(
  block: ChainBlock,
  timestamp: number,
  log: EvmLog,
  decoded: DecodedEvent | typeof unnamed,
): SourceItem {
  return {
    address: log.address,
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimestamp: timestamp,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
    index: log.index,
    data: log.data,
    topics: log.topics,
    event: decoded.event,
    args: decoded.args,
    params: decoded.params,
  }
}
