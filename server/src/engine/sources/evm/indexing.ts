import { parsePath } from '../../base/paths.ts'
import type { Requirement } from '../../conditions/requirements.ts'
import {
  type ChainIndexing,
  type FieldKey,
  type Fields,
  type Indexing,
  itemIndex,
  makeItemKey,
  shapeless,
} from '../../match/index.ts'
import { blockIndex } from '../block-items.ts'
import { type WordType, wordTypeOf } from './abi/abi-words.ts'
import { makeCallFieldKey } from './calls/call-fields.ts'
import type {
  AbiInput,
  EvmCallKeys,
  EvmLogKeys,
  EvmTransactionKeys,
  RawCall,
  RawLog,
  RawTransaction,
} from './match-keys.ts'
import { dataWord, findInput, type MaybeWord, makeWordKey, type Word } from './word-fields.ts'

/** The number of topics and of data bytes in one number, each with room for a wildcard. No log has five topics. */
function logShape(topicsCount = -1, dataBytes = -1): number {
  return (dataBytes + 1) * 8 + topicsCount + 1
}

const logs: Indexing<EvmLogKeys, RawLog> = {
  keyPartsOf: ({ topic0, addresses, topicsCount, dataBytes }) => ({
    first: topic0?.toLowerCase(),
    second: addresses,
    shape: logShape(topicsCount, dataBytes),
  }),
  firstOf: ({ topics }) => topics[0],
  secondOf: ({ address }) => address,
  hasShape({ topics, data }, shape) {
    const topicsCount = shape % 8
    if (topicsCount > 0 && topics.length !== topicsCount - 1) return false
    return shape < 8 || data.length - 2 === 2 * (Math.floor(shape / 8) - 1)
  },
  shapesOf({ topics, data }) {
    const dataBytes = (data.length - 2) / 2
    return [logShape(), logShape(topics.length), logShape(undefined, dataBytes), logShape(topics.length, dataBytes)]
  },
  toFieldKey: makeLogFieldKey,
}

const transactionFields = new Set(['from', 'to', 'methodId', 'hash', 'value', 'nonce', 'type', 'status'])

const transactions: Indexing<EvmTransactionKeys, RawTransaction> = {
  ...shapeless,
  keyPartsOf: () => ({ shape: 0 }),
  firstOf: () => undefined,
  secondOf: () => undefined,
  toFieldKey: (requirement, _, fields) =>
    transactionFields.has(requirement.path) ? makeItemKey(fields, requirement, '', ({ item }) => item) : undefined,
}

type Internal = EvmCallKeys['internal']
/** By position: the part of a shape that tells which depths an entry accepts. */
const depths: readonly Internal[] = [false, true, 'auto']

/** Which calls an entry accepts, as a number: by their success, and by their depth. */
function callShape(success: boolean | 'any', internal: Internal): number {
  return 3 * depths.indexOf(internal) + (success === 'any' ? 0 : success ? 1 : 2)
}

function hasDepth({ depth, isTraced }: RawCall, internal: Internal | undefined): boolean {
  if (internal === 'auto') return true
  return internal ? isTraced : depth === 0
}

const calls: Indexing<EvmCallKeys, RawCall> = {
  keyPartsOf: ({ selector, addresses, success, internal }) => ({
    first: selector,
    second: addresses,
    shape: callShape(success, internal),
  }),
  firstOf: ({ selector }) => selector ?? undefined,
  secondOf: ({ address }) => address ?? undefined,
  hasShape: (call, shape) =>
    hasDepth(call, depths[Math.floor(shape / 3)]) && (shape % 3 === 0 || (shape % 3 === 1) === call.success),
  shapesOf: (call) =>
    depths
      .filter((internal) => hasDepth(call, internal))
      .flatMap((internal) => [callShape('any', internal), callShape(call.success, internal)]),
  toFieldKey: makeCallFieldKey,
}

export const evmIndexing: ChainIndexing = {
  evm_log: itemIndex(logs),
  evm_transaction: itemIndex(transactions),
  evm_call: itemIndex(calls),
  evm_block: blockIndex,
}

const hash = wordTypeOf('bytes32')
const address = wordTypeOf('address')

/** Where the value of a requirement is in an undecoded log. Undefined when only decoding can find it. */
function makeLogFieldKey(
  requirement: Requirement,
  keys: EvmLogKeys,
  fields: Fields<RawLog>,
): FieldKey<RawLog> | undefined {
  return makeWordKey(requirement, wordAt(requirement.path, keys), fields)
}

function wordAt(path: string, keys: EvmLogKeys): MaybeWord<RawLog> {
  const [root, name, ...deeper] = parsePath(path)
  if (deeper.length > 0) return undefined
  if (root === 'address' && name === undefined)
    return { name: root, type: address, read: ({ address }) => address, at: addressAt }
  if (root === 'topics' && name !== undefined && /^[0-3]$/.test(name)) return topicAt(Number(name), hash)
  const at = findInput(path, keys.inputs)
  return typeof at === 'number' ? inputAt(at, keys.inputs ?? [], keys) : at
}

function inputAt(index: number, inputs: readonly AbiInput[], { anonymous }: EvmLogKeys): MaybeWord<RawLog> {
  const input = inputs[index]
  if (!input) return 'absent'
  const before = inputs.slice(0, index).filter((each) => Boolean(each.indexed) === Boolean(input.indexed))
  if (!input.indexed) return dataWord(before, input, ({ data }) => data, 2)
  return topicAt(before.length + (anonymous ? 0 : 1), isHashed(input) ? hash : wordTypeOf(input.type))
}

/** A value that does not fit into a topic is stored there as its hash, and decodes to that hash. */
function isHashed({ type, components }: AbiInput): boolean {
  return components !== undefined || /^(?:string|bytes)$|\]$/.test(type)
}

function topicAt(at: number, type: WordType | undefined): Word<RawLog> {
  return { name: `topic ${at}`, type, read: ({ topics }) => topics[at], at: 2 }
}

/** In a word 24 digits precede an address; in the text of a log only `0x`. */
const addressAt = 2 - 24
