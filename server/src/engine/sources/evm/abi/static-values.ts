import type { EvmParameter } from './abi-items.ts'
import { elementOf, namesOf } from './plain-value.ts'

/**
 * Reads a value of a fixed-size type directly from lower-case hex digits, starting at the digit `at`. Most events contain
 * only such types. Without bytes, cursors and integers in between, this is about ten times as fast as the codec. Like the
 * codec, it throws when the digits are not a value of the type.
 */
export type StaticReader = {
  /** The size in words of 64 digits. */
  words: number
  /** How many digits must be present. The codec reads only eight of a `bytes4` at the end of the data. */
  digits: number
  read(text: string, at: number): unknown
}

/** Undefined for dynamic types and for types that take no bytes; the codec reads those. */
export function staticReader(parameter: EvmParameter): StaticReader | undefined {
  const inner = elementOf(parameter)
  if (inner) return listReader(staticReader(inner), Number(/\[(\d*)\]$/.exec(parameter.type)?.[1] || Number.NaN))
  if (parameter.components) return tupleReader(parameter.components)
  const read = wordReader(parameter.type)
  return read && { words: 1, digits: bytesDigits(parameter.type) ?? 64, read }
}

/** Consecutive values, with the start of each. */
export type StaticReaders = { readers: readonly StaticReader[]; starts: readonly number[]; digits: number }

export function staticReaders(parameters: readonly EvmParameter[]): StaticReaders | undefined {
  const readers = parameters.map(staticReader).filter((reader) => reader !== undefined)
  if (readers.length < parameters.length) return undefined
  let [words, digits] = [0, 0]
  const starts: number[] = []
  for (const reader of readers) {
    starts.push(64 * words)
    digits = 64 * words + reader.digits
    words += reader.words
  }
  return { readers, starts, digits }
}

export function readStatic({ readers, starts }: StaticReaders, text: string, at: number): unknown[] {
  const values: unknown[] = []
  for (let index = 0; index < readers.length; index++)
    values.push(readers[index]?.read(text, at + (starts[index] ?? 0)))
  return values
}

/** More than any data contains. Beyond it, even the sizes could not be computed exactly. */
const wordsMax = 2 ** 31

function listReader(element: StaticReader | undefined, count: number): StaticReader | undefined {
  if (!element || !(count > 0) || element.words * count > wordsMax) return undefined
  const { words, digits } = element
  const read = (text: string, at: number) => {
    const values: unknown[] = []
    for (let index = 0; index < count; index++) values.push(element.read(text, at + 64 * words * index))
    return values
  }
  return { words: words * count, digits: 64 * words * (count - 1) + digits, read }
}

function tupleReader(components: readonly EvmParameter[]): StaticReader | undefined {
  const inner = staticReaders(components)
  const names = namesOf(components)
  if (!inner || components.length === 0) return undefined
  const words = inner.readers.reduce((sum, reader) => sum + reader.words, 0)
  const read = (text: string, at: number) => {
    const values = readStatic(inner, text, at)
    return names ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values
  }
  return { words, digits: inner.digits, read }
}

type Read = StaticReader['read']

function wordReader(type: string): Read | undefined {
  if (type === 'address') return (text, at) => `0x${text.slice(at + 24, at + 64)}`
  if (type === 'bool') return readBool
  const digits = bytesDigits(type)
  if (digits !== undefined) return (text, at) => `0x${text.slice(at, at + digits)}`
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  return bits === undefined ? undefined : integerReader(Number(bits), unsigned === '')
}

/** A function pointer has 24 bytes. */
function bytesDigits(type: string): number | undefined {
  if (type === 'function') return 48
  const size = /^bytes(\d+)$/.exec(type)?.[1]
  return size === undefined ? undefined : 2 * Number(size)
}

const [falseWord, trueWord] = ['0', '1'].map((digit) => digit.padStart(64, '0'))

function readBool(text: string, at: number): boolean {
  const word = text.slice(at, at + 64)
  if (word !== falseWord && word !== trueWord) throw new RangeError('not a boolean')
  return word === trueWord
}

/** Up to 48 bits a number, else a decimal string. Bits beyond the type are refused, as Solidity refuses them. */
function integerReader(bits: number, isSigned: boolean): Read {
  const max = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n
  const min = isSigned ? -max - 1n : 0n
  const isText = bits > 48
  return (text, at) => {
    const isNegative = isSigned && text.charCodeAt(at) > 55
    const value = isNegative ? BigInt.asIntN(256, integerAt(text, at)) : integerAt(text, at)
    if (value > max || value < min) throw new RangeError('not an integer of its type')
    return isText ? value.toString() : Number(value)
  }
}

/** Parsing 64 digits with BigInt takes no longer than checking a dozen of them one by one. */
function integerAt(text: string, at: number): bigint {
  return BigInt(text.length === 66 && at === 2 ? text : `0x${text.slice(at, at + 64)}`)
}
