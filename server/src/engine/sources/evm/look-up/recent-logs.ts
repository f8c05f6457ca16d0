import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { isRefusal } from '../rpc.ts'
import { type ChainReads, type FoundLog, newestLogsMax } from './chain-reads.ts'

/** The logs of the latest blocks, oldest first. `reason` says why fewer blocks were read than wanted. */
export type RecentLogs = { logs: FoundLog[]; fromBlock: number; toBlock: number; reason?: string }
export type RecentLogsOptions = { head: number; blocks: number; endsAtMs: number }

const firstSpan = 1_000
const logsMax = 2_000
const requestsMax = 12

/**
 * Reads back from the head, in ranges that the endpoint accepts, until there are enough blocks or logs or the time is over.
 * Endpoints differ in the range that they accept, and most say so only in words.
 */
export async function readRecentLogs(
  reads: ChainReads,
  address: string,
  { head, blocks, endsAtMs }: RecentLogsOptions,
): Promise<RecentLogs> {
  const oldest = Math.max(0, head - blocks + 1)
  let [span, fromBlock, logs, largest] = [firstSpan, head + 1, [] as FoundLog[], Number.POSITIVE_INFINITY]
  for (let request = 0; request < requestsMax && fromBlock > oldest; request++) {
    const result = (reason: string) => ({ logs, fromBlock, toBlock: head, reason })
    if (logs.length >= logsMax) return result(`it has more than ${logsMax} logs in these blocks`)
    if (request > 0 && performance.now() > endsAtMs) return result('the endpoint was too slow for more')
    const from = Math.max(oldest, fromBlock - span)
    try {
      const found = await reads.logs(address, from, fromBlock - 1)
      logs = [...found, ...logs]
      // A full answer may have been cut: its first block is not whole.
      fromBlock = found.length < newestLogsMax ? from : (found[0]?.block ?? from)
      span = Math.min(largest, span * 2)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      const isTooLong = isRefusal(error) || error.kind === 'too_large'
      if (!isTooLong && fromBlock > head) throw error
      if (!isTooLong) return result('the endpoint stopped answering')
      if (span === 1) throw error
      span = Math.max(1, Math.floor(span / 10))
      largest = span
    }
  }
  const isWhole = fromBlock <= oldest
  return { logs, fromBlock, toBlock: head, ...(!isWhole && { reason: `the endpoint gives few blocks at a time` }) }
}
