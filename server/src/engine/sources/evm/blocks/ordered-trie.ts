import { keccak256 } from '../abi/keccak.ts'
import { encodeBytes, encodeInteger, encodeList } from './rlp.ts'

/** Paths and values are hex without 0x. Each digit is one step of the path. */
type Entry = { path: string; value: string }

const nothing = encodeBytes('')

/** The root of the Merkle Patricia trie that stores values under their indexes, as blocks do for transactions and receipts. */
export function orderedTrieRoot(values: readonly string[]): string {
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
