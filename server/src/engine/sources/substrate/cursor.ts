/** The values of all events, or of all extrinsics, of a block; of one storage entry. A full block of Polkadot has 300,000. */
export const valuesMax = 2_000_000

/** How many values may still be decoded. The extrinsics of a block share it. */
export type ValuesLeft = { count: number }

/** A read position in bytes from a node. Reading past the end throws, and so does reading far more values than bytes. */
export class Cursor {
  at = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #values: ValuesLeft
  #stepsLeft: number

  constructor(bytes: Uint8Array, values: ValuesLeft = { count: valuesMax }) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#values = values
    // Lists of types that take no bytes could be endless. Real values have a few parts per byte.
    this.#stepsLeft = 1000 + 32 * bytes.length
  }

  static ofHex(hex: string, values?: ValuesLeft): Cursor {
    return new Cursor(Uint8Array.from(Buffer.from(hex.slice(2), 'hex')), values)
  }

  get left(): number {
    return this.#bytes.length - this.at
  }

  step(values = 1): void {
    this.#stepsLeft -= values
    if (this.#stepsLeft < 0) throw new RangeError('more values than the bytes can hold')
    this.#values.count -= values
    if (this.#values.count < 0) throw new RangeError(`more than ${valuesMax.toLocaleString('en-US')} values`)
  }

  take(count: number): Uint8Array {
    if (count > this.left) throw new RangeError('the bytes end too early')
    this.at += count
    return this.#bytes.slice(this.at - count, this.at)
  }

  hex(count: number): string {
    return `0x${Buffer.from(this.take(count)).toString('hex')}`
  }

  u8(): number {
    this.at += 1
    return this.#view.getUint8(this.at - 1)
  }

  /** Little-endian, of 1 to 32 bytes. */
  integer(size: number, isSigned: boolean): bigint {
    const bytes = this.take(size).reverse()
    const value = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
    return isSigned ? BigInt.asIntN(size * 8, value) : value
  }

  /** Integers that a number holds exactly: 8, 16 or 32 bits. */
  small(size: number, isSigned: boolean): number {
    const at = this.at
    this.at += size
    if (size === 1) return isSigned ? this.#view.getInt8(at) : this.#view.getUint8(at)
    if (size === 2) return isSigned ? this.#view.getInt16(at, true) : this.#view.getUint16(at, true)
    return isSigned ? this.#view.getInt32(at, true) : this.#view.getUint32(at, true)
  }

  /** SCALE's variable-length integer: the two low bits of the first byte give its size. */
  compact(): bigint {
    const first = this.#view.getUint8(this.at)
    const mode = first & 3
    if (mode < 3) return this.integer(1 << mode, false) >> 2n
    this.at += 1
    return this.integer((first >> 2) + 4, false)
  }

  /** The length of a list, which cannot exceed the steps that are left. */
  length(): number {
    const length = this.compact()
    if (length > BigInt(this.#stepsLeft)) throw new RangeError('a list is longer than its bytes')
    return Number(length)
  }
}
