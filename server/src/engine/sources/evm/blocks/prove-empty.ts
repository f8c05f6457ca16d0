import type { BlockCheck } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { isRefusal } from '../rpc.ts'
import { askLogs, rangeOf } from './ask-logs.ts'
import type { BlockReader } from './block-reader.ts'
import { isZero } from './bloom.ts'
import { Doubted } from './doubts.ts'
import { NoReceipts, readReceiptsAt } from './fetch-receipts.ts'
import { requireGiven, requireList, UnreadableAnswer } from './quantities.ts'
import { type Header, readReceipt } from './read-answers.ts'

/**
 * An empty list of logs where the bloom says nothing. A node that lags behind gives such a list for a block that it does not
 * have, also behind an address with other nodes that have it; it never gives a part of a list. So the receipts of the block
 * count: a node without the block answers null. Cost: one call, or one for each transaction where nodes refuse the receipts
 * of a whole block. If they refuse those too, the list is asked for in another form, and `Doubts` decides when it counts.
 */
export async function proveEmpty(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  addresses: readonly string[] | undefined,
): Promise<{ logs: readonly EvmLog[]; checked: BlockCheck }> {
  const { blooms, unlisted } = reader
  const isListed = header.transactions.length > 0
  if (!isListed && !unlisted.mustProve) return { logs: [], checked: 'none' }
  const found = await (isListed ? listedLogs(reader, at, header) : unlistedLogs(reader, at, header))
  if ('doubt' in found) return askOtherwise(reader, at, header, found.doubt)
  const { logs } = found
  const wanted = addresses ? logs.filter(({ address }) => addresses.includes(address)) : logs
  if (logs.length === 0 && isListed && header.logsBloom !== undefined && isZero(header.logsBloom)) blooms.confirmZero()
  if (wanted.length > 0)
    at.reportTrouble(
      'endpoint_incomplete',
      `returned no logs of block ${header.number} by eth_getLogs, and its receipts contain ${wanted.length}. The receipts are used.`,
    )
  return { logs: wanted, checked: found.checked }
}

type FoundLogs = { logs: readonly EvmLog[]; checked: BlockCheck }
/** `doubt`: the receipts prove nothing. `receipts`: they are served, and this node has none. */
type Proof = FoundLogs | { doubt: 'empty' | 'receipts' }

async function listedLogs(reader: BlockReader, at: OneEndpoint, header: Header): Promise<Proof> {
  const memory = reader.memoryOf(at)
  if (memory.isRefused('receipts') && memory.isRefused('receipt')) return { doubt: 'empty' }
  try {
    const { logs, checked } = await readReceiptsAt(reader, at, header)
    return { logs, checked }
  } catch (error) {
    if (error instanceof NoReceipts) return { doubt: 'receipts' }
    if (error instanceof UnreadableAnswer) return { doubt: 'empty' }
    throw error
  }
}

/** Logs that belong to no listed transaction are in receipts that some nodes give with those of the block. */
async function unlistedLogs(reader: BlockReader, at: OneEndpoint, header: Header): Promise<Proof> {
  const memory = reader.memoryOf(at)
  const withoutProof: Proof = reader.unlisted.haveLogs ? { doubt: 'empty' } : { logs: [], checked: 'none' }
  if (memory.isRefused('receipts')) return withoutProof
  try {
    const answer = await at.request('eth_getBlockReceipts', [header.hash])
    const receipts = requireList(requireGiven(answer, 'list of receipts'), 'list of receipts').map(readReceipt)
    // If the chain has such logs, an empty list shows only that this node has the block, not the one that gave no logs.
    const logs = receipts.flatMap((receipt) => receipt.logs)
    return logs.length === 0 ? withoutProof : { logs, checked: 'none' }
  } catch (error) {
    if (!isRefusal(error)) throw error
    memory.refuse('receipts', error)
    return withoutProof
  }
}

/** No answer proves the empty list. Both forms of the request are noted, and whether it counts is decided later. */
async function askOtherwise(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  kind: 'empty' | 'receipts',
): Promise<FoundLogs> {
  const message = `The node gave no logs of block ${header.number}, and nothing shows that the block has none.`
  for (const filter of [{ blockHash: header.hash }, rangeOf(header)]) {
    const form = 'blockHash' in filter ? 'hash' : 'range'
    if (reader.memoryOf(at).isRefused(form)) continue
    try {
      const { logs } = await askLogs(reader, at, header, filter)
      if (logs.length > 0) return { logs, checked: 'none' }
      reader.doubts.logs.note(header, `${at.index} ${form}`, new Doubted(kind, message, { logs }))
    } catch (error) {
      if (!isRefusal(error)) throw error
      reader.memoryOf(at).refuse(form, error)
    }
  }
  throw new Doubted(kind, message, { logs: [] })
}
