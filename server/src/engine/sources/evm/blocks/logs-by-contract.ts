import type { BlockCheck } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { askByNumber, askLogs, rangeOf } from './ask-logs.ts'
import type { BlockReader } from './block-reader.ts'
import { namedInBloom } from './bloom.ts'
import { receiptsOrNone } from './fetch-receipts.ts'
import type { Header } from './read-answers.ts'

/** `isDoubtful`: the bloom names a contract that has no log in the answer, and this endpoint cannot show which is right. */
export type LogsByContract = {
  logs: readonly EvmLog[]
  isDoubtful: boolean
  checked: BlockCheck
  doubt?: string
  /** The answer was so large that it was checked while it was read. */
  isLarge?: true
}

/** If the bloom names at most this many contracts by chance, missing logs justify another call. */
const askAgainMax = 0.25
/** At most this many justify fetching the receipts of the block. */
const readReceiptsMax = 0.02

/**
 * The logs of these contracts. Nothing in a block shows whether they are complete, except in one case: the bloom names a
 * contract of which the answer has no log. Either logs were left out, or the bloom names the contract by chance. The
 * endpoint is then asked again for these contracts, and for the receipts of the block. The fuller a bloom is, the more
 * contracts it names by chance: each check is made only if chance alone leads to it in few blocks.
 */
export async function logsByContract(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  addresses: readonly string[],
): Promise<LogsByContract> {
  const { logs: first, large } = await askByNumber(reader, at, header, addresses)
  if (large) return { logs: first, ...large, checked: 'none', isDoubtful: false, isLarge: true }
  const missing = missingFrom(first, header, addresses)
  if (missing.contracts.length === 0 || missing.byChance > askAgainMax)
    return { logs: first, checked: 'none', isDoubtful: false }
  // An empty list has already been requested twice.
  const added = first.length === 0 ? [] : (await askLogs(reader, at, header, rangeOf(header, missing.contracts))).logs
  if (added.length > 0) tellAdded(at, header, added.length)
  const logs = [...first, ...added]
  const isSettled = missingFrom(logs, header, addresses).contracts.length === 0
  if (isSettled || missing.byChance > readReceiptsMax) return { logs, checked: 'none', isDoubtful: false }
  return fromReceipts(reader, at, header, addresses, logs)
}

function missingFrom(logs: readonly EvmLog[], header: Header, addresses: readonly string[]) {
  const given = new Set(logs.map(({ address }) => address))
  const { named, byChance } = namedInBloom(
    header.logsBloom,
    addresses.filter((address) => !given.has(address)),
  )
  return { contracts: named, byChance }
}

async function fromReceipts(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  addresses: readonly string[],
  given: readonly EvmLog[],
): Promise<LogsByContract> {
  const memory = reader.memoryOf(at)
  const isRefused = memory.isRefused('receipts') && memory.isRefused('receipt')
  const found = isRefused ? undefined : await receiptsOrNone(reader, at, header)
  if (!found) return { logs: given, checked: 'none', isDoubtful: true }
  const logs = found.logs.filter(({ address }) => addresses.includes(address))
  if (logs.length > given.length) tellAdded(at, header, logs.length - given.length)
  return { logs: logs.length > given.length ? logs : given, checked: found.checked, isDoubtful: false }
}

function tellAdded(at: OneEndpoint, { number }: Header, count: number): void {
  at.reportTrouble(
    'endpoint_incomplete',
    `left ${count} logs of block ${number} out at first; a second call gave them.`,
  )
}
