import { parsePath } from '../../base/paths.ts'
import { sameKey } from '../../conditions/comparison.ts'
import type { Requirement } from '../../conditions/requirements.ts'
import { type FieldKey, type Fields, makeBoundKey, prefixField, valueField } from '../../match/index.ts'
import { headWords, type WordType, wordTypeOf } from './abi/abi-words.ts'
import type { AbiInput } from './match-keys.ts'

/**
 * A 32-byte word of an undecoded item that holds a value, and its type; `absent` if no such item has the value. `read`
 * returns the text whose digit `at` is the first of the word.
 */
export type Word<Raw> = { name: string; type: WordType | undefined; read(raw: Raw): string | undefined; at: number }
export type MaybeWord<Raw> = Word<Raw> | 'absent' | undefined

/** The key of a requirement on a word. Undefined when only decoding can find the value. */
export function makeWordKey<Raw>(
  requirement: Requirement,
  word: MaybeWord<Raw>,
  fields: Fields<Raw>,
): FieldKey<Raw> | undefined {
  if (word === 'absent') return makeAbsentKey(requirement, fields)
  if (!word?.type) return undefined
  if (requirement.is === 'same') return makeValueKey(requirement.value, word, word.type, fields)
  if (requirement.is === 'startsWith') return makePrefixKey(requirement.value, word, word.type, fields)
  return makeWordBoundKey(requirement, word, word.type, fields)
}

const missing = sameKey(null)

/** A field that no such item has is null in conditions, and not a number. */
function makeAbsentKey<Raw>({ is, value }: Requirement, fields: Fields<Raw>): FieldKey<Raw> {
  return {
    field: valueField(fields, 'absent', { read: () => missing }),
    key: is === 'same' ? sameKey(value) : undefined,
  }
}

/** The values of an item exist whenever it decodes. A log may lack a topic of this number; it is then null. */
function makeValueKey<Raw>(
  value: unknown,
  { name, read, at }: Word<Raw>,
  { name: typeName, from, end, encode }: WordType,
  fields: Fields<Raw>,
): FieldKey<Raw> {
  const key = value === null ? missing : encode(value)
  return { field: valueField(fields, `${name} ${typeName}`, { read, from: at + from, end: at + end, missing }), key }
}

/** A value without a text begins with nothing. */
function makePrefixKey<Raw>(
  prefix: string,
  { name, read, at }: Word<Raw>,
  { name: typeName, text }: WordType,
  fields: Fields<Raw>,
): FieldKey<Raw> {
  const readText = (raw: Raw) => {
    const word = read(raw)
    return word === undefined ? undefined : text?.(word, at)
  }
  return { field: prefixField(fields, `${name} ${typeName}`, readText), key: text && prefix }
}

function makeWordBoundKey<Raw>(
  requirement: Requirement,
  { name, read, at }: Word<Raw>,
  { name: typeName, number }: WordType,
  fields: Fields<Raw>,
): FieldKey<Raw> | undefined {
  if (!number) return undefined
  const readOrder = (raw: Raw) => {
    const text = read(raw)
    return text === undefined ? undefined : number.order(text, at)
  }
  const readExact = (raw: Raw) => {
    const text = read(raw)
    return { digits: text === undefined ? 0n : number.exact(text, at), scale: 0 }
  }
  return makeBoundKey(fields, `${name} ${typeName}`, requirement, { read: readOrder, readExact })
}

/** The position of the input that a path such as `params.to` or `args[1]` names. Undefined when decoding must decide. */
export function findInput(path: string, inputs: readonly AbiInput[] | undefined): number | 'absent' | undefined {
  const [root, name, ...deeper] = parsePath(path)
  if (!inputs || name === undefined || deeper.length > 0) return undefined
  if (root === 'params') return findNamed(name, inputs)
  return root === 'args' ? findNumbered(name, inputs) : undefined
}

/** Two inputs with the same name cannot be distinguished. Some names are not copied to `params`. */
function findNamed(name: string, inputs: readonly AbiInput[]): number | 'absent' | undefined {
  const at = inputs.findIndex((input) => input.name === name)
  if (at < 0 || name === '' || name === '__proto__') return 'absent'
  return at === inputs.findLastIndex((input) => input.name === name) ? at : undefined
}

function findNumbered(name: string, inputs: readonly AbiInput[]): number | 'absent' {
  return /^\d+$/.test(name) && inputs[Number(name)] ? Number(name) : 'absent'
}

/** The word of encoded data that holds a value, after the values of the inputs `before` it. */
export function dataWord<Raw>(
  before: readonly AbiInput[],
  { type, components }: AbiInput,
  dataOf: (raw: Raw) => string,
  /** How many characters come before the first word. */
  offset: number,
): Word<Raw> {
  const words = before.reduce((sum, each) => sum + headWords(each), 0)
  const wordType = components ? undefined : wordTypeOf(type)
  const at = offset + 64 * words
  const least = at + (wordType?.end ?? 64)
  const read = (raw: Raw) => {
    const data = dataOf(raw)
    return data.length < least ? undefined : data
  }
  return { name: `data ${words}`, type: wordType, read, at }
}
