import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock, Matcher } from '../block.ts'
import type { EventForm } from './abi/event-decoder.ts'
import { type EvmLog, requireLogs } from './contents.ts'
import { contractsOf } from './contracts.ts'
import { type LogDecoder, logDecoder } from './log-decoder.ts'
import { logKeys } from './log-keys.ts'
import type { EvmLogKeys } from './match-keys.ts'
import type { EvmLogSpec } from './spec-events.ts'

/** A matcher of logs, with the keys that let the trigger index call it for few logs only. */
export type LogMatcher = Matcher & {
  /** Absent means all, because the spec names no event or an anonymous one. */
  topic0s?: readonly string[]
  /** One index entry for each. A log is found by at most one of them. */
  keys: readonly EvmLogKeys[]
  /** Decodes a log that has the keys. Specs with the same events share it. */
  decoder: LogDecoder
  /** Undefined when the log does not match. */
  matchLog(block: ChainBlock, timestamp: number, log: EvmLog): SourceItem | undefined
}

export async function logMatcher(spec: EvmLogSpec): Promise<LogMatcher> {
  const decoder = await logDecoder(spec)
  const addresses = contractsOf(spec)
  const contracts = addresses && new Set(addresses)
  const matchLog = (block: ChainBlock, timestamp: number, log: EvmLog) =>
    hasShape(log, spec, contracts) ? decoder.itemOf(block, timestamp, log) : undefined
  return {
    topic0s: topicsOf(decoder.forms),
    keys: logKeys(spec, decoder.forms),
    decoder,
    neededParts: ['logs'],
    ...(addresses && { addresses }),
    matchLog,
    match(block) {
      const { timestamp, logs } = requireLogs(block)
      return logs.map((log) => matchLog(block, timestamp, log)).filter((item) => item !== undefined)
    },
  }
}

function topicsOf(forms: readonly EventForm[] | undefined): string[] | undefined {
  const topics = forms?.flatMap(({ topic0 }) => topic0 ?? [])
  return topics && topics.length === forms?.length ? [...new Set(topics)] : undefined
}

/** ERC-20 and ERC-721 Transfer have the same signature and differ in these counts. */
function hasShape(log: EvmLog, spec: EvmLogSpec, contracts: ReadonlySet<string> | undefined): boolean {
  if (contracts && !contracts.has(log.address)) return false
  if (spec.topicsCount !== undefined && log.topics.length !== spec.topicsCount) return false
  return spec.dataBytes === undefined || log.data.length === 2 + 2 * spec.dataBytes
}
