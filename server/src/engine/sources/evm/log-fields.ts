import { parsePath } from '../../base/paths.ts'
import type { Requirement } from '../../conditions/index.ts'
import type { FieldKey, Fields } from '../../match/index.ts'
import { type WordType, wordTypeOf } from './abi/abi-words.ts'
import type { AbiInput, EvmLogKeys, RawLog } from './match-keys.ts'
import { dataWord, findInput, type MaybeWord, makeWordKey, type Word } from './word-fields.ts'

const hash = wordTypeOf('bytes32')
const address = wordTypeOf('address')

/** Where the value of a requirement is in an undecoded log. Undefined when only decoding can find it. */
export function makeLogFieldKey(
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
