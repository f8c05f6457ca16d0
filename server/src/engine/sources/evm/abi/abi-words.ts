import { readDecimal, showDecimal } from '../../../base/decimals.ts'
import { orderOfSigned, orderOfUnsigned, signedAt, unsignedAt } from '../../../match/index.ts'
import type { AbiInput } from '../match-keys.ts'

/** How a type is stored in a 32-byte word (64 digits): which digits count, and how a wanted value is encoded. */
export type WordType = {
  name: string
  /** Decoding reads the digits between these positions. In the last word of the data the digits after `end` may be missing. */
  from: number
  end: number
  /** The digits of the value. Undefined when no decoded value of this type can equal the wanted one. */
  encode(wanted: unknown): string | undefined
  /** The decoded value as a text in lower case. Absent for types whose values have no text in conditions. */
  text?(word: string, at: number): string
  /** Only for types whose values have an order. It reads the word that begins at `at`. */
  number?: { order(text: string, at: number): number; exact(text: string, at: number): bigint }
}

/** Undefined for types that do not fit into one word: text, lists, structs. */
export function wordTypeOf(type: string): WordType | undefined {
  if (type === 'address') return addressWord
  if (type === 'bool') return boolWord
  const [, integer, bits = '256'] = /^(u?int)(\d*)$/.exec(type) ?? []
  if (integer) return integerWord(integer === 'int', BigInt(bits || '256'))
  const size = Number(/^bytes(\d+)$/.exec(type)?.[1])
  return size >= 1 && size <= 32 ? bytesWord(size) : undefined
}

/** Decoders read the last twenty bytes and ignore the bytes before them, which are almost always zero. */
const addressWord: WordType = {
  name: 'address',
  from: 24,
  end: 64,
  encode: (wanted) =>
    typeof wanted === 'string' && /^0x[0-9a-f]{40}$/i.test(wanted) ? wanted.slice(2).toLowerCase() : undefined,
  text: (word, at) => `0x${word.slice(at + 24, at + 64)}`,
}

const boolWord: WordType = {
  name: 'bool',
  from: 0,
  end: 64,
  encode: (wanted) => (typeof wanted === 'boolean' ? (wanted ? '1' : '0').padStart(64, '0') : undefined),
}

function integerWord(isSigned: boolean, bits: bigint): WordType {
  const [min, max] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n]
  const encode = (wanted: unknown) => {
    const decimal = readDecimal(wanted)
    const text = decimal && showDecimal(decimal)
    if (text === undefined || text.includes('.')) return undefined
    const value = BigInt(text)
    return value < min || value > max ? undefined : BigInt.asUintN(256, value).toString(16).padStart(64, '0')
  }
  const number = isSigned ? { order: orderOfSigned, exact: signedAt } : { order: orderOfUnsigned, exact: unsignedAt }
  const text = (word: string, at: number) => String(number.exact(word, at))
  return { name: isSigned ? 'int' : 'uint', from: 0, end: 64, encode, text, number }
}

function bytesWord(size: number): WordType {
  const encode = (wanted: unknown) =>
    typeof wanted === 'string' && wanted.length === 2 + 2 * size && /^0x[0-9a-f]+$/i.test(wanted)
      ? wanted.slice(2).toLowerCase()
      : undefined
  const text = (word: string, at: number) => `0x${word.slice(at, at + 2 * size)}`
  return { name: `bytes${size}`, from: 0, end: 2 * size, encode, text }
}

/** How many words an input takes in the head of the data. A dynamic input takes one, which holds its offset. */
export function headWords(input: AbiInput): number {
  const array = /^(.*)\[(\d*)\]$/s.exec(input.type)
  if (isDynamic(input)) return 1
  if (array) return Number(array[2]) === 0 ? 0 : Number(array[2]) * headWords({ ...input, type: array[1] ?? '' })
  return (input.components ?? [undefined]).reduce((words, each) => words + (each ? headWords(each) : 1), 0)
}

function isDynamic({ type, components = [] }: AbiInput): boolean {
  const base = type.replace(/(?<!\])(?:\[\d+\])+$/, '')
  return base === 'string' || base === 'bytes' || base.endsWith(']') || components.some(isDynamic)
}
