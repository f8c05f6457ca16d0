import { parsePath } from '../../base/paths.ts'
import { type Requirement, sameKey } from '../../conditions/index.ts'
import { type FieldKey, type Fields, makeBoundKey, valueField } from '../../match/index.ts'
import { headWords, type WordType, wordTypeOf } from './abi/abi-words.ts'
import type { EventInput, EvmLogKeys, RawLog } from './match-keys.ts'

const hash = wordTypeOf('bytes32')
const address = wordTypeOf('address')

/** Where the value of a requirement is in an undecoded log. Undefined when only decoding can find it. */
export function makeLogFieldKey(
  requirement: Requirement,
  keys: EvmLogKeys,
  fields: Fields<RawLog>,
): FieldKey<RawLog> | undefined {
  const word = wordAt(requirement.path, keys)
  if (word === 'absent') return makeAbsentKey(requirement, fields)
  if (!word?.type) return undefined
  if (requirement.is === 'same') return makeValueKey(requirement.value, word, word.type, fields)
  return makeWordBoundKey(requirement, word, word.type, fields)
}

type Word = { name: string; type: WordType | undefined; read(log: RawLog): string | undefined }

const missing = sameKey(null)

/** A field that no such item has is null in conditions, and not a number. */
function makeAbsentKey({ is, value }: Requirement, fields: Fields<RawLog>): FieldKey<RawLog> {
  return { field: valueField(fields, 'absent', () => missing), key: is === 'same' ? sameKey(value) : undefined }
}

/** The values of an event exist whenever it decodes. A log may lack a topic of this number; it is then null. */
function makeValueKey(
  value: unknown,
  { name, read }: Word,
  { name: typeName, part, partFrom, encode }: WordType,
  fields: Fields<RawLog>,
): FieldKey<RawLog> {
  const readPart = (log: RawLog) => {
    const word = read(log)
    return word === undefined ? missing : part(word)
  }
  const key = value === null ? missing : encode(value)
  return { field: valueField(fields, `${name} ${typeName}`, readPart, partFrom), key }
}

function makeWordBoundKey(
  requirement: Requirement,
  { name, read }: Word,
  { name: typeName, number }: WordType,
  fields: Fields<RawLog>,
): FieldKey<RawLog> | undefined {
  if (!number) return undefined
  const readOrder = (log: RawLog) => {
    const word = read(log)
    return word === undefined ? undefined : number.order(word)
  }
  const readExact = (log: RawLog) => ({ digits: number.exact(read(log) ?? '0x0'), scale: 0 })
  return makeBoundKey(fields, `${name} ${typeName}`, requirement, { read: readOrder, readExact })
}

function wordAt(path: string, keys: EvmLogKeys): Word | 'absent' | undefined {
  const [root, name, ...deeper] = parsePath(path)
  if (deeper.length > 0) return undefined
  if (root === 'address' && name === undefined) return { name: root, type: address, read: padded }
  if (root === 'topics' && name !== undefined && /^[0-3]$/.test(name)) return topicAt(Number(name), hash)
  if (!keys.inputs || name === undefined) return undefined
  if (root === 'params') return inputNamed(name, keys.inputs, keys)
  return root === 'args' ? inputNumbered(name, keys.inputs, keys) : undefined
}

/** Two inputs with the same name cannot be distinguished. Some names are not copied to `params`. */
function inputNamed(name: string, inputs: readonly EventInput[], keys: EvmLogKeys): Word | 'absent' | undefined {
  const at = inputs.findIndex((input) => input.name === name)
  if (at < 0 || name === '' || name === '__proto__') return 'absent'
  return at === inputs.findLastIndex((input) => input.name === name) ? inputAt(at, inputs, keys) : undefined
}

function inputNumbered(name: string, inputs: readonly EventInput[], keys: EvmLogKeys): Word | 'absent' | undefined {
  return /^\d+$/.test(name) ? inputAt(Number(name), inputs, keys) : 'absent'
}

function inputAt(index: number, inputs: readonly EventInput[], { anonymous }: EvmLogKeys): Word | 'absent' {
  const input = inputs[index]
  if (!input) return 'absent'
  const before = inputs.slice(0, index).filter((each) => Boolean(each.indexed) === Boolean(input.indexed))
  if (input.indexed)
    return topicAt(before.length + (anonymous ? 0 : 1), isHashed(input) ? hash : wordTypeOf(input.type))
  const words = before.reduce((sum, each) => sum + headWords(each), 0)
  return wordOfData(words, input.components ? undefined : wordTypeOf(input.type))
}

/** A value that does not fit into a topic is stored there as its hash, and decodes to that hash. */
function isHashed({ type, components }: EventInput): boolean {
  return components !== undefined || /^(?:string|bytes)$|\]$/.test(type)
}

function topicAt(at: number, type: WordType | undefined): Word {
  return { name: `topic ${at}`, type, read: ({ topics }) => topics[at] }
}

function wordOfData(at: number, type: WordType | undefined): Word {
  const start = 2 + 64 * at
  const least = start + (type?.digits ?? 64)
  const read = ({ data }: RawLog) => {
    if (data.length < least) return undefined
    return data.length === 66 && at === 0 ? data : `0x${data.slice(start, start + 64)}`
  }
  return { name: `data ${at}`, type, read }
}

/** Encoded as in its topic. */
function padded({ address }: RawLog): string {
  return `0x${address.slice(2).padStart(64, '0')}`
}
