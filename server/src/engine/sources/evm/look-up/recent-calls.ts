import type { ChainReads, FoundCall } from './chain-reads.ts'

export type RecentCall = FoundCall & { block: number; timeMs: number }
export type RecentCalls = { calls: RecentCall[]; fromBlock: number }

/** Whole blocks are large, so fewer are read than for logs. */
const blocksMax = 16
const atOnce = 4

/** The transactions to the address in the latest blocks, oldest first. Calls by other contracts are not seen. */
export async function readRecentCalls(
  reads: ChainReads,
  address: string,
  { head, endsAtMs }: { head: number; endsAtMs: number },
): Promise<RecentCalls> {
  const oldest = Math.max(0, head - blocksMax + 1)
  let [calls, fromBlock] = [[] as RecentCall[], head + 1]
  while (fromBlock > oldest && (fromBlock > head || performance.now() < endsAtMs)) {
    const first = Math.max(oldest, fromBlock - atOnce)
    const numbers = Array.from({ length: fromBlock - first }, (_, at) => first + at)
    const read = await Promise.all(numbers.map((number) => callsIn(reads, address, number)))
    calls = [...read.flat(), ...calls]
    fromBlock = first
  }
  return { calls, fromBlock }
}

async function callsIn(reads: ChainReads, address: string, number: number): Promise<RecentCall[]> {
  const block = await reads.block(number, true)
  if (!block) return []
  const { calls, timeMs } = block
  return calls.filter(({ to }) => to === address).map((call) => ({ ...call, block: number, timeMs }))
}
