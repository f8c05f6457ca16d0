// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method call, which costs more
import type { Parameter } from './guest-abi.ts'

/** Data is text of lower-case hex digits without 0x. */
export type Codec = {
  /** Throws if the data does not hold these values. */
  decode(parameters: readonly Parameter[], data: string): unknown[]
  encode(parameters: readonly Parameter[], values: unknown): string
  readTopic(parameter: Parameter, topic: string): unknown
}

/**
 * Encodes and decodes ABI values inside the sandbox, which gets this function as source text, so it must use nothing from
 * outside. Values are the same as in decoded logs: integers of up to 48 bits are numbers, wider ones decimal strings.
 */
export function makeCodec(): Codec {
  type Reader = { data: string; digitsLeft: number }
  type Write = { isDynamic: boolean; hex: string }

  const elementOf = (parameter: Parameter): { element: Parameter; count: number | undefined } | undefined => {
    const [, type, count] = /^(.*)\[(\d*)\]$/s.exec(parameter.type) ?? []
    if (type === undefined) return undefined
    return { element: { ...parameter, type }, count: count === '' ? undefined : Number(count) }
  }

  const isDynamic = (parameter: Parameter): boolean => {
    const array = elementOf(parameter)
    if (array) return array.count === undefined || isDynamic(array.element)
    return parameter.components ? parameter.components.some(isDynamic) : /^(?:string|bytes)$/.test(parameter.type)
  }

  const headDigits = (parameter: Parameter): number => {
    if (isDynamic(parameter)) return 64
    const array = elementOf(parameter)
    if (array) return (array.count ?? 0) * headDigits(array.element)
    return parameter.components ? parameter.components.reduce((sum, each) => sum + headDigits(each), 0) : 64
  }

  /** Offsets may all point to the same place, so a reader stops at four times the size of the data. */
  const take = (reader: Reader, at: number, digits: number): string => {
    reader.digitsLeft -= digits
    if (reader.digitsLeft < 0 || at + digits > reader.data.length) throw new RangeError('too short')
    return reader.data.slice(at, at + digits)
  }

  const takeNumber = (reader: Reader, at: number): number => {
    const value = BigInt('0x' + take(reader, at, 64))
    if (value > BigInt(reader.data.length)) throw new RangeError('too large')
    return Number(value)
  }

  const readWord = (type: string, word: string): unknown => {
    const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
    if (bits !== undefined) return readInteger(BigInt('0x' + word), Number(bits), unsigned === '')
    if (type === 'address') return '0x' + word.slice(24)
    if (type !== 'bool') return '0x' + word.slice(0, type === 'function' ? 48 : 2 * Number(type.slice(5)))
    if (!/^0{63}[01]$/.test(word)) throw new RangeError('not a boolean')
    return word.endsWith('1')
  }

  const readInteger = (word: bigint, bits: number, isSigned: boolean): unknown => {
    const value = isSigned ? BigInt.asIntN(256, word) : word
    if ((isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) !== value)
      throw new RangeError('not an integer of its type')
    return bits > 48 ? String(value) : Number(value)
  }

  const readValue = (reader: Reader, parameter: Parameter, at: number): unknown => {
    const array = elementOf(parameter)
    if (array) {
      const count = array.count ?? takeNumber(reader, at)
      const start = array.count === undefined ? at + 64 : at
      // An element without bytes could repeat without end.
      if (headDigits(array.element) === 0 || count * headDigits(array.element) > reader.data.length - start)
        throw new RangeError('too short')
      return readAll(reader, new Array<Parameter>(count).fill(array.element), start)
    }
    if (parameter.components) return readTuple(reader, parameter.components, at)
    if (!isDynamic(parameter)) return readWord(parameter.type, take(reader, at, 64))
    const hex = take(reader, at + 64, 2 * takeNumber(reader, at))
    return parameter.type === 'bytes' ? '0x' + hex : decodeText(hex).replaceAll('\0', '\ufffd')
  }

  const readTuple = (reader: Reader, components: readonly Parameter[], at: number): unknown => {
    const values = readAll(reader, components, at)
    const names = components.map(({ name }) => name).filter((name) => name !== '' && !/^__proto__$/.test(name))
    const isNamed = names.length > 0 && new Set(names).size === components.length
    return isNamed ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values
  }

  const readAll = (reader: Reader, parameters: readonly Parameter[], start: number): unknown[] => {
    let at = start
    return parameters.map((parameter) => {
      const from = isDynamic(parameter) ? start + 2 * takeNumber(reader, at) : at
      at += headDigits(parameter)
      return readValue(reader, parameter, from)
    })
  }

  /** UTF-8 with U+FFFD for each invalid part, as TextDecoder does, which QuickJS does not have. */
  const decodeText = (hex: string): string => {
    let text = ''
    let [point, needed, lower, upper] = [0, 0, 0x80, 0xbf]
    for (let at = 0; at < hex.length; at += 2) {
      const byte = Number('0x' + hex.slice(at, at + 2))
      if (needed > 0 && byte >= lower && byte <= upper) {
        point = (point << 6) | (byte & 63)
        needed--
        if (needed === 0) text += String.fromCodePoint(point)
        lower = 0x80
        upper = 0xbf
        continue
      }
      if (needed > 0) text += '\ufffd'
      needed =
        byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0
      point = byte & (needed === 1 ? 31 : needed === 2 ? 15 : 7)
      lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
      upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
      if (needed === 0) text += byte < 0x80 ? String.fromCharCode(byte) : '\ufffd'
    }
    if (needed > 0) text += '\ufffd'
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }

  const wrong = (path: string, expected: string): never => {
    throw new TypeError(path + ' must be ' + expected)
  }

  const writeInteger = (type: string, value: unknown, path: string): string => {
    const isInteger =
      typeof value === 'bigint' ||
      Number.isSafeInteger(value) ||
      (typeof value === 'string' && value.length <= 80 && /^(?:-?\d+|0x[0-9a-f]+)$/i.test(value))
    if (!isInteger) return wrong(path, 'an integer: a BigInt, a number up to 2^53, a decimal string or 0x hex')
    const integer = BigInt(String(value))
    const bits = Number(type.replace(/\D/g, ''))
    const fitted = type.startsWith('u') ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer)
    if (fitted !== integer) return wrong(path, 'within ' + type)
    return BigInt.asUintN(256, integer).toString(16).padStart(64, '0')
  }

  const hexOf = (type: string, value: unknown, path: string): string => {
    const size = type === 'address' ? '20' : type === 'function' ? '24' : type.slice(5)
    if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) return wrong(path, 'bytes as 0x hex')
    if (size !== '' && value.length !== 2 + 2 * Number(size)) return wrong(path, size + ' bytes as 0x hex')
    return value.slice(2).toLowerCase()
  }

  const textHex = (value: unknown, path: string): string => {
    if (!/^(?:string|number|boolean|bigint)$/.test(typeof value)) return wrong(path, 'a string')
    const escaped = encodeURIComponent(String(value).toWellFormed())
    return escaped.replace(/%(..)|./gs, (one, hex) =>
      hex ? hex.toLowerCase() : one.charCodeAt(0).toString(16).padStart(2, '0'),
    )
  }

  const withLength = (hex: string): string =>
    (hex.length / 2).toString(16).padStart(64, '0') + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')

  const writeValue = (parameter: Parameter, value: unknown, path: string): string => {
    const { type, components } = parameter
    const array = elementOf(parameter)
    if (array) {
      const hasCount = Array.isArray(value) && (array.count === undefined || array.count === value.length)
      if (!hasCount) return wrong(path, array.count === undefined ? 'a list' : 'a list of ' + array.count)
      const count = array.count === undefined ? value.length.toString(16).padStart(64, '0') : ''
      return count + writeAll(new Array<Parameter>(value.length).fill(array.element), value, path)
    }
    if (components) return writeAll(components, fieldsOf(components, value, path), path)
    if (/int/.test(type)) return writeInteger(type, value, path)
    if (type === 'string') return withLength(textHex(value, path))
    if (type === 'bytes') return withLength(hexOf(type, value, path))
    if (type === 'address') return hexOf(type, value, path).padStart(64, '0')
    if (type !== 'bool') return hexOf(type, value, path).padEnd(64, '0')
    if (!/^(?:true|false)$/.test(String(value))) return wrong(path, 'true or false')
    return (String(value) === 'true' ? '1' : '0').padStart(64, '0')
  }

  /** A list by position, or an object by the names of the components. */
  const fieldsOf = (components: readonly Parameter[], value: unknown, path: string): unknown[] => {
    if (Array.isArray(value) && value.length === components.length) return value
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrong(path, 'an object or a list of ' + components.length)
    const fields = new Map(Object.entries(value))
    return components.map(({ name }) => (fields.has(name) ? fields.get(name) : wrong(path, 'an object with ' + name)))
  }

  const writeAll = (parameters: readonly Parameter[], values: readonly unknown[], path: string): string => {
    const written = parameters.map((parameter, index): Write => {
      const hex = writeValue(parameter, values[index], path + '.' + index)
      return { isDynamic: isDynamic(parameter), hex }
    })
    let offset = written.reduce((sum, { isDynamic, hex }) => sum + (isDynamic ? 64 : hex.length), 0)
    let [head, tail] = ['', '']
    for (const { isDynamic, hex } of written) {
      head += isDynamic ? (offset / 2).toString(16).padStart(64, '0') : hex
      if (isDynamic) tail += hex
      if (isDynamic) offset += hex.length
    }
    return head + tail
  }

  return {
    decode: (parameters, data) => readAll({ data, digitsLeft: 4 * data.length + 2048 }, parameters, 0),
    encode(parameters, values) {
      if (!Array.isArray(values) || values.length !== parameters.length)
        return wrong('args', 'a list of ' + parameters.length)
      return writeAll(parameters, values, 'args')
    },
    /** A value that does not fit into a topic is stored there as its hash. */
    readTopic: (parameter, topic) =>
      parameter.components || /^(?:string|bytes)$|\]$/.test(parameter.type)
        ? topic
        : readWord(parameter.type, topic.slice(2)),
  }
}
