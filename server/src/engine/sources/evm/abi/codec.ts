import * as AbiParameters from 'ox/AbiParameters'
import type { EvmParameter } from './abi-items.ts'
import { plainOf } from './plain-value.ts'
import { readStatic, staticReaders } from './static-values.ts'

/** The values that bytes hold, in hex digits of lower case, one for each parameter; throws when they do not hold them. */
export type Decode = (data: string) => unknown[]

type Nameless = { type: string; components?: Nameless[] }

export function decoderOf(parameters: readonly EvmParameter[]): Decode {
  const fixed = staticReaders(parameters)
  if (!fixed) return codecDecoder(parameters)
  const leastLength = parameters.length === 0 ? 0 : 2 + Math.max(64, fixed.digits)
  return (data) => {
    if (data.length < leastLength) throw new RangeError('too short')
    return readStatic(fixed, data, 2)
  }
}

/** Any types at all, by the codec. */
export function codecDecoder(parameters: readonly EvmParameter[]): Decode {
  const nameless = parameters.map(withoutNames)
  const plain = parameters.map(plainOf)
  return (data) => {
    const values: readonly unknown[] = AbiParameters.decode(nameless, meter(data), { checksumAddress: false })
    return plain.map((toPlain, index) => toPlain(values[index]))
  }
}

/** True when the bytes are exactly what these parameters encode to, with nothing left over. */
export function isCanonical(parameters: readonly EvmParameter[], data: string): boolean {
  if (parameters.length === 0) return data === '0x'
  const nameless = parameters.map(withoutNames)
  const values: readonly unknown[] = AbiParameters.decode(nameless, meter(data), { checksumAddress: false })
  return AbiParameters.encode(nameless, [...values]) === data
}

export function encodeValues(parameters: readonly EvmParameter[], values: readonly unknown[]): string {
  return AbiParameters.encode(parameters.map(withoutNames), [...values])
}

/** Names are given afterwards, because the codec lets one name overwrite another. A function pointer is 24 bytes. */
function withoutNames(parameter: EvmParameter): Nameless {
  const { type, components } = parameter
  if (!components) return { type: type.replace(/^function/, 'bytes24') }
  return { type: `tuple${type.slice(type.lastIndexOf(')') + 1)}`, components: components.map(withoutNames) }
}

function meter(data: string): Uint8Array {
  const bytes = Buffer.from(data.slice(2), 'hex')
  return new MeteredBytes(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * Pointers in the data may all lead to the same place, so that a few kilobytes written for the purpose decode to
 * gigabytes. Honest data is read once; four times its size is where we stop.
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
