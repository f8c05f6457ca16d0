import * as AbiParameters from 'ox/AbiParameters'
import type { EvmParameter } from './abi-items.ts'
import { plainOf } from './plain-value.ts'
import { readStatic, staticReaders } from './static-values.ts'

/**
 * Decodes one value for each parameter from lower-case hex digits, which begin at `at` (after `0x` if it is absent). Throws
 * when the bytes do not contain them.
 */
export type Decode = (data: string, at?: number) => unknown[]

type Nameless = { type: string; components?: Nameless[] }

export function decoderOf(parameters: readonly EvmParameter[]): Decode {
  const fixed = staticReaders(parameters)
  if (!fixed) return codecDecoder(parameters)
  const digitsMin = parameters.length === 0 ? 0 : Math.max(64, fixed.digits)
  return (data, at = 2) => {
    if (data.length < at + digitsMin) throw new RangeError('too short')
    return readStatic(fixed, data, at)
  }
}

/** For any types, with the codec. */
export function codecDecoder(parameters: readonly EvmParameter[]): Decode {
  const nameless = parameters.map(withoutNames)
  const plain = parameters.map(plainOf)
  return (data, at) => {
    const values: readonly unknown[] = AbiParameters.decode(nameless, meter(data, at), { checksumAddress: false })
    return plain.map((toPlain, index) => toPlain(values[index]))
  }
}

/** True when the bytes are exactly the encoding of these parameters, with nothing left over. */
export function isCanonical(parameters: readonly EvmParameter[], data: string): boolean {
  if (parameters.length === 0) return data === '0x'
  const nameless = parameters.map(withoutNames)
  const values: readonly unknown[] = AbiParameters.decode(nameless, meter(data), { checksumAddress: false })
  return AbiParameters.encode(nameless, [...values]) === data
}

export function encodeValues(parameters: readonly EvmParameter[], values: readonly unknown[]): string {
  return AbiParameters.encode(parameters.map(withoutNames), [...values])
}

/** Names are added afterwards, because the codec lets equal names overwrite each other. A function pointer is 24 bytes. */
function withoutNames(parameter: EvmParameter): Nameless {
  const { type, components } = parameter
  if (!components) return { type: type.replace(/^function/, 'bytes24') }
  return { type: `tuple${type.slice(type.lastIndexOf(')') + 1)}`, components: components.map(withoutNames) }
}

function meter(data: string, at = 2): Uint8Array {
  const bytes = Buffer.from(data.slice(at), 'hex')
  return new MeteredBytes(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * Offsets in the data may all point to the same place, so a few kilobytes can decode to gigabytes. Honest data is read
 * once; this stops at four times the size of the data.
 */
class MeteredBytes extends Uint8Array<ArrayBufferLike> {
  private readsLeft = 4 * this.byteLength + 1024

  static get [Symbol.species]() {
    return Uint8Array
  }

  override subarray(begin = 0, end = this.length): Uint8Array<ArrayBufferLike> {
    this.readsLeft -= end - begin
    if (this.readsLeft < 0) throw new RangeError('decodes to far more than it holds')
    return super.subarray(begin, end)
  }
}
