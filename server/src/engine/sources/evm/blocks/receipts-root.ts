import { keccak256 } from '../abi/keccak.ts'
import { computeBloom } from './bloom.ts'
import { requireBytes, requireList, requireNumber, requireRecord, UnreadableAnswer } from './quantities.ts'

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

/** Paths and values are hex without 0x. Each digit is one step of the path. */
type Entry = { path: string; value: string }

const nothing = encodeBytes('')

/** The root of the Merkle Patricia trie that stores values under their indexes, as blocks do for transactions and receipts. */
function orderedTrieRoot(values: readonly string[]): string {
  const entries = values.map((value, index) => ({ path: encodeInteger(index), value }))
  return `0x${hashOf(entries.length === 0 ? nothing : encodeNode(entries, 0))}`
}

/** All entries share the path up to `depth`. */
function encodeNode(entries: readonly Entry[], depth: number): string {
  const [first, ...others] = entries
  if (!first) return nothing
  if (others.length === 0) return encodeList([encodePath(first.path.slice(depth), true), encodeBytes(first.value)])
  const shared = sharedLength(first.path, others, depth)
  if (shared === 0) return encodeBranch(entries, depth)
  const below = referenceTo(encodeBranch(entries, depth + shared))
  return encodeList([encodePath(first.path.slice(depth, depth + shared), false), below])
}

/** No path is a prefix of another path, so no branch has its own value. */
function encodeBranch(entries: readonly Entry[], depth: number): string {
  const below: Entry[][] = Array.from({ length: 16 }, () => [])
  for (const entry of entries) below[Number.parseInt(entry.path.charAt(depth), 16)]?.push(entry)
  return encodeList([...below.map((group) => referenceTo(encodeNode(group, depth + 1))), nothing])
}

/** A short node is stored in its parent, a longer one by its hash. */
function referenceTo(node: string): string {
  return node.length < 64 ? node : encodeBytes(hashOf(node))
}

function sharedLength(path: string, others: readonly Entry[], depth: number): number {
  let length = 0
  while (others.every((other) => other.path.charAt(depth + length) === path.charAt(depth + length))) length += 1
  return length
}

/** The first digit distinguishes leaves from extensions, and shows whether the number of steps is odd. */
function encodePath(steps: string, isLeaf: boolean): string {
  const isOdd = steps.length % 2 === 1
  return encodeBytes(`${(isLeaf ? 2 : 0) + (isOdd ? 1 : 0)}${isOdd ? '' : '0'}${steps}`)
}

function hashOf(hex: string): string {
  return Buffer.from(keccak256(Buffer.from(hex, 'hex'))).toString('hex')
}

/**
 * RLP, the encoding of Ethereum's tries and receipts: byte strings and lists of encoded items. Bytes are hex without 0x, as
 * nodes send them, because joining texts is several times as fast as joining many small buffers.
 */

function encodeBytes(hex: string): string {
  if (hex.length === 2 && hex < '80') return hex
  return prefix(0x80, hex.length / 2) + hex
}

function encodeList(encoded: readonly string[]): string {
  const body = encoded.join('')
  return prefix(0xc0, body.length / 2) + body
}

/** Without leading zeros; zero is the empty string. */
function encodeInteger(value: number): string {
  return encodeBytes(bigEndian(value))
}

function prefix(offset: number, length: number): string {
  if (length <= 55) return (offset + length).toString(16).padStart(2, '0')
  const size = bigEndian(length)
  return (offset + 55 + size.length / 2).toString(16) + size
}

function bigEndian(value: number): string {
  if (value === 0) return ''
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
