import { readDecimal, showDecimal } from '../decimals.ts'
import type { EventInput } from './keys.ts'
import { orderOfSigned, orderOfUnsigned } from './order.ts'

/** How one type stands in a 32-byte word, `0x` and 64 digits: what of it counts, and what a wanted value is there. */
export type WordType = {
  name: string
  /** The word without what decoding does not look at. */
  part(word: string): string
  /** Undefined when no decoded value of this type can equal the wanted one. */
  encode(wanted: unknown): string | undefined
  /** Present where values have an order. */
  order?(word: string): number
}

/** Undefined for types that do not stand in one word: text, lists, structs, and their hashes in topics. */
export function wordTypeOf(type: string): WordType | undefined {
  if (type === 'address') return addressWord
  if (type === 'bool') return boolWord
  const [, integer, bits = '256'] = /^(u?int)(\d*)$/.exec(type) ?? []
  if (integer) return integerWord(integer === 'int', BigInt(bits || '256'))
  const size = Number(/^bytes(\d+)$/.exec(type)?.[1])
  return size >= 1 && size <= 32 ? bytesWord(size) : undefined
}

const zeros = `0x${'0'.repeat(24)}`

/** Decoders take the last twenty bytes and do not mind what stands before them, which is zeros all but always. */
const addressWord: WordType = {
  name: 'address',
  part: (word) => (word.startsWith(zeros) ? word : zeros + word.slice(26)),
  encode: (wanted) =>
    typeof wanted === 'string' && /^0x[0-9a-fA-F]{40}$/.test(wanted)
      ? zeros + wanted.slice(2).toLowerCase()
      : undefined,
}

const boolWord: WordType = {
  name: 'bool',
  part: (word) => word,
  encode: (wanted) => (typeof wanted === 'boolean' ? `0x${(wanted ? '1' : '0').padStart(64, '0')}` : undefined),
}

function integerWord(isSigned: boolean, bits: bigint): WordType {
  const [least, most] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n]
  const encode = (wanted: unknown) => {
    const decimal = readDecimal(wanted)
    const text = decimal && showDecimal(decimal)
    if (text === undefined || text.includes('.')) return undefined
    const value = BigInt(text)
    return value < least || value > most ? undefined : `0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`
  }
  const order = isSigned ? orderOfSigned : orderOfUnsigned
  return { name: isSigned ? 'int' : 'uint', part: (word) => word, encode, order }
}

function bytesWord(size: number): WordType {
  const encode = (wanted: unknown) =>
    typeof wanted === 'string' && wanted.length === 2 + 2 * size && /^0x[0-9a-fA-F]+$/.test(wanted)
      ? wanted.toLowerCase()
      : undefined
  return { name: `bytes${size}`, part: (word) => (size === 32 ? word : word.slice(0, 2 + 2 * size)), encode }
}

/** How many words an input takes in the head of the data; what is dynamic leaves one there, with its offset. */
export function headWords(input: EventInput): number {
  const array = /^(.*)\[(\d*)\]$/s.exec(input.type)
  if (isDynamic(input)) return 1
  if (array) return Number(array[2]) * headWords({ ...input, type: array[1] ?? '' })
  return (input.components ?? [undefined]).reduce((words, each) => words + (each ? headWords(each) : 1), 0)
}

function isDynamic({ type, components = [] }: EventInput): boolean {
  const base = type.replace(/(?:\[\d+\])*$/, '')
  return base === 'string' || base === 'bytes' || base.endsWith(']') || components.some(isDynamic)
}
