import { computeBloom } from './bloom.ts'
import { orderedTrieRoot } from './ordered-trie.ts'
import { requireBytes, requireList, requireNumber, requireRecord, UnreadableAnswer } from './quantities.ts'
import { encodeBytes, encodeInteger, encodeList } from './rlp.ts'

/** `unknown`: this code cannot compute the root of the block, which says nothing about the receipts. */
export type RootCheck = { kind: 'same' } | { kind: 'other'; computed: string } | { kind: 'unknown'; reason: string }

type Raw = Record<string, unknown>

/** Legacy, access list, fees, blobs, account code; all have the same four fields. */
const plainTypes = new Set([0, 1, 2, 3, 4])
/** A deposit of the OP stack, or a message from layer 1 on Scroll. */
const depositType = 0x7e
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/**
 * Checks whether receipts from `eth_getBlockReceipts` are exactly the ones in the block's header. Throws an UpstreamError
 * when the answer contains no receipts.
 */
export function checkReceiptsRoot(receiptsRoot: string | undefined, receipts: readonly unknown[]): RootCheck {
  const raw = receipts.map((receipt) => requireRecord(receipt, 'receipt'))
  if (receiptsRoot === undefined || /^0x0*$/.test(receiptsRoot)) return unknown('the header has no receipts root')
  if (receiptsRoot === emptyRoot && raw.length > 0) return unknown('the chain does not fill the receipts root')
  const strange = raw.map(typeOf).find((type) => !plainTypes.has(type) && type !== depositType)
  if (strange === undefined) return compare(receiptsRoot, raw)
  // An unknown type may have the usual fields. If it does not, the root says nothing.
  return isSame(receiptsRoot, raw) ? { kind: 'same' } : unknown(`receipts of type ${strange} have another form`)
}

function compare(receiptsRoot: string, raw: readonly Raw[]): RootCheck {
  const ordered = raw.map((each) => ({ each, at: transactionIndexOf(each) })).sort((a, b) => a.at - b.at)
  let computed = emptyRoot
  for (const values of encodings(ordered.map(({ each }) => each))) {
    computed = orderedTrieRoot(values)
    if (computed === receiptsRoot) return { kind: 'same' }
  }
  return { kind: 'other', computed }
}

function isSame(receiptsRoot: string, raw: readonly Raw[]): boolean {
  try {
    return compare(receiptsRoot, raw).kind === 'same'
  } catch (error) {
    if (error instanceof UnreadableAnswer) return false
    throw error
  }
}

/**
 * The variants of the receipts to try: as they are; with the state root instead of the status, because some nodes report a
 * status for blocks that predate it; without the receipts of the chain itself (Polygon's state sync), which are not in the trie.
 */
function* encodings(receipts: readonly Raw[]): Generator<readonly string[]> {
  yield receipts.map((each) => encodeReceipt(each, false))
  if (receipts.some(({ root, status }) => root != null && status != null))
    yield receipts.map((each) => encodeReceipt(each, true))
  const paid = receipts.filter((each) => !isBookkeeping(each))
  if (paid.length < receipts.length) yield paid.map((each) => encodeReceipt(each, false))
}

const nobody = `0x${'0'.repeat(40)}`

function isBookkeeping({ from, to, gasUsed }: Raw): boolean {
  return from === nobody && to === nobody && typeof gasUsed === 'string' && /^0x0*$/.test(gasUsed)
}

function encodeReceipt(receipt: Raw, prefersRoot: boolean): string {
  const type = typeOf(receipt)
  const logs = requireList(receipt.logs, 'logs of a receipt').map((log) => requireRecord(log, 'log'))
  const body = encodeList([
    encodeOutcome(receipt, prefersRoot),
    encodeInteger(requireNumber(receipt.cumulativeGasUsed, 'cumulativeGasUsed of a receipt')),
    encodeBytes(receipt.logsBloom == null ? bloomIn(logs) : digits(receipt.logsBloom, 'logsBloom of a receipt')),
    encodeList(logs.map(encodeLog)),
    ...(type === depositType ? depositFields(receipt) : []),
  ])
  return type === 0 ? body : type.toString(16).padStart(2, '0') + body
}

function encodeOutcome({ status, root }: Raw, prefersRoot: boolean): string {
  if (root != null && (prefersRoot || status == null)) return encodeBytes(digits(root, 'root of a receipt', 32))
  return encodeInteger(requireNumber(status, 'status of a receipt'))
}

/** Part of the root since Canyon, which introduced the version. */
function depositFields({ depositNonce, depositReceiptVersion }: Raw): string[] {
  if (depositReceiptVersion == null) return []
  return [
    encodeInteger(requireNumber(depositNonce, 'depositNonce of a receipt')),
    encodeInteger(requireNumber(depositReceiptVersion, 'depositReceiptVersion of a receipt')),
  ]
}

function encodeLog(log: Raw): string {
  const topics = requireList(log.topics, 'topics of a log')
  return encodeList([
    encodeBytes(digits(log.address, 'address of a log', 20)),
    encodeList(topics.map((topic) => encodeBytes(digits(topic, 'topic of a log', 32)))),
    encodeBytes(digits(log.data, 'data of a log')),
  ])
}

/** Some nodes omit the bloom of a receipt. */
function bloomIn(logs: readonly Raw[]): string {
  const bloomed = logs.map(({ address, topics }) => ({
    address: requireBytes(address, 'address of a log', 20),
    topics: requireList(topics, 'topics of a log').map((topic) => requireBytes(topic, 'topic of a log', 32)),
  }))
  return Buffer.from(computeBloom(bloomed)).toString('hex')
}

function typeOf({ type }: Raw): number {
  return requireNumber(type ?? '0x0', 'type of a receipt')
}

function transactionIndexOf({ transactionIndex }: Raw): number {
  return requireNumber(transactionIndex, 'transactionIndex of a receipt')
}

function digits(value: unknown, what: string, length?: number): string {
  return requireBytes(value, what, length).slice(2)
}

function unknown(reason: string): RootCheck {
  return { kind: 'unknown', reason }
}
