import { parseDurationMs } from '@tocsin/contract'
import { RpcError } from '../outbound/json-rpc.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import { isoOf } from '../sources/block-at.ts'
import type { Connection, LogSearch, WantedLog } from '../sources/connection.ts'
import { rulesOfChainRead } from './chain-read.ts'
import { type Call, ProviderFailure, type ProviderOf } from './context.ts'
import { UnmetResult, type Wait } from './retry.ts'
import { providerRules } from './rules.ts'

type OtherChainLog = ProviderOf<'other_chain_log'>

/** The clocks of two chains differ, and whoever acts on an event may act before its block is closed. */
const beforeDefault = '1m'
/**
 * Null needs a block that is this much later than the last one that counts: a node behind the same address may be some blocks
 * behind the one that told the head.
 */
const sureAfterMs = 15_000
/** How long a run waits for a source that is behind or does not answer, beyond the time that it waits anyway. */
const patienceMs = 3_600_000

export const otherChainLog = providerRules('other_chain_log', (provider) => {
  const rules = rulesOfChainRead(provider)
  return {
    ...rules,
    call: (call) => findLog(provider, call),
    async check(path) {
      const message = 'is not for other_chain_log: a failure would look like a log that is not there'
      return [
        ...(provider.optional ? [{ path: `${path}.optional`, message }] : []),
        ...((await rules.check?.(path)) ?? []),
      ]
    },
    // It depends on the time of the item, and changes until that time is over.
    isRead: false,
    scopeOf: ({ context }) => [timeOf(context)],
  }
})

/** The log, or null once every block that could have it was read. Until then the run is parked. */
async function findLog(provider: OtherChainLog, { context }: Call): Promise<unknown> {
  const { source, contract, event, abiFragment, match = {}, within, before = beforeDefault } = provider
  const itemMs = timeOf(context)
  if (itemMs === undefined) throw new ProviderFailure('needs an item with a time')
  const toMs = itemMs + msOf(within)
  const wanted = { contract, event, abiFragment, match, fromMs: itemMs - msOf(before), toMs }
  const nowMs = context.parking?.nowMs() ?? toMs
  const wait = { delayMs: delayOf(nowMs, itemMs, toMs), maxElapsedMs: msOf(within) + patienceMs }
  const connection = await context.connection(source)
  const search = await searchOr(wait, source, () => requireSearch(connection, source)(wanted))
  if (search.log) return search.log
  if (search.readToMs > toMs + sureAfterMs) return null
  const decides = `a block after ${isoOf(toMs + sureAfterMs)} shows whether there is none`
  throw new UnmetResult(
    `no such log yet: the newest block of ${source} is of ${isoOf(search.readToMs)}, and ${decides}`,
    null,
    wait,
  )
}

function requireSearch(connection: Connection, source: string): (wanted: WantedLog) => Promise<LogSearch> {
  if (connection.findLog) return connection.findLog
  throw new UpstreamError('refused', `${source} is not on a chain whose logs can be searched.`)
}

/** A source that does not answer now may answer later. Until then nobody knows whether the log is there. */
async function searchOr(wait: Wait, source: string, search: () => Promise<LogSearch>): Promise<LogSearch> {
  try {
    return await search()
  } catch (error) {
    const mayPass = error instanceof UpstreamError && !(error instanceof RpcError) && error.kind !== 'refused'
    if (!mayPass) throw error
    throw new UnmetResult(`${source} could not be read: ${error.message}`, null, wait)
  }
}

const [leastMs, mostMs] = [2_000, 60_000]

/** Soon at first, then less often; at the end of the time as early as the log can be known to be missing. */
function delayOf(nowMs: number, itemMs: number, toMs: number): number {
  const growing = Math.min(mostMs, Math.max(leastMs, Math.round((nowMs - itemMs) / 2)))
  const leftMs = toMs + sureAfterMs - nowMs
  return leftMs > 0 ? Math.min(growing, Math.max(leastMs, leftMs)) : Math.min(growing, 10_000)
}

function timeOf({ nowMs, askedAtMs }: Call['context']): number | undefined {
  return nowMs ?? askedAtMs
}

function msOf(duration: string): number {
  return parseDurationMs(duration) ?? 0
}
