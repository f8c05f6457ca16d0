import { keccak256 } from '../abi/keccak.ts'
import { encodeBytes, encodeInteger, encodeList } from './rlp.ts'

/** Paths and values are hex without its 0x: a digit is a step of the path. */
type Entry = { path: string; value: string }

const nothing = encodeBytes('')

/** The root of the Merkle Patricia trie that holds values under their places, as blocks hold transactions and receipts. */
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

/** No place's path is the beginning of another's, so that no branch holds a value of its own. */
function encodeBranch(entries: readonly Entry[], depth: number): string {
  const below: Entry[][] = Array.from({ length: 16 }, () => [])
  for (const entry of entries) below[Number.parseInt(entry.path.charAt(depth), 16)]?.push(entry)
  return encodeList([...below.map((group) => referenceTo(encodeNode(group, depth + 1))), nothing])
}

/** A short node stands in its parent itself, a longer one by its hash. */
function referenceTo(node: string): string {
  return node.length < 64 ? node : encodeBytes(hashOf(node))
}

function sharedLength(path: string, others: readonly Entry[], depth: number): number {
  let length = 0
  while (others.every((other) => other.path.charAt(depth + length) === path.charAt(depth + length))) length += 1
  return length
}

/** The first digit tells a leaf from an extension, and whether the count of steps is odd. */
function encodePath(steps: string, isLeaf: boolean): string {
  const isOdd = steps.length % 2 === 1
  return encodeBytes(`${(isLeaf ? 2 : 0) + (isOdd ? 1 : 0)}${isOdd ? '' : '0'}${steps}`)
}

function hashOf(hex: string): string {
  return Buffer.from(keccak256(Buffer.from(hex, 'hex'))).toString('hex')
}
