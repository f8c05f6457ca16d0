import { keccak256 } from '../abi/keccak.ts'
import { requireBytes } from './quantities.ts'

type Bloomed = { address: string; topics: readonly string[] }

const bloomBytes = 256
const bitsPerValue = 3
const cacheMax = 50_000

/** Caches hashes, because the same contracts and topics occur in every block and a hash costs more than the rest of the check. */
const cachedBits = new Map<string, readonly number[]>()

/**
 * The bloom of a header, or undefined where it says nothing about the logs: some chains leave it out, set all of its bits
 * (Filecoin), or give it another size. A bloom of zeros stays, because it is also that of a block without logs.
 */
export function readBloom(value: unknown): string | undefined {
  if (value == null) return undefined
  const bloom = requireBytes(value, 'logsBloom of the block')
  return bloom.length !== 2 + 2 * bloomBytes || /^0xf*$/.test(bloom) ? undefined : bloom
}

/**
 * Compares the logs of a block with its bloom. `isFilled`: the logs account for every bit of the bloom, so most answers with
 * logs missing are caught. `isOutside`: a log is not in the bloom. Some chains leave the logs of system transactions out of
 * it, and some never fill it. A bloom that says nothing is filled by any list.
 */
export function compareBloom(
  logsBloom: string | undefined,
  logs: readonly Bloomed[],
): { isFilled: boolean; isOutside: boolean } {
  if (logsBloom === undefined) return { isFilled: true, isOutside: false }
  const bits = new BloomBits(logsBloom)
  for (const log of logs) bits.take(log)
  return bits
}

/** True when the logs account for every bit of the bloom. */
export function fillsBloom(logsBloom: string | undefined, logs: readonly Bloomed[]): boolean {
  return compareBloom(logsBloom, logs).isFilled
}

/** Compares a bloom with logs that come one by one. */
export class BloomBits {
  isOutside = false
  readonly #bloom: Buffer
  readonly #missing: Buffer

  constructor(logsBloom: string) {
    this.#bloom = Buffer.from(logsBloom.slice(2), 'hex')
    this.#missing = Buffer.from(this.#bloom)
  }

  get isFilled(): boolean {
    return this.#missing.every((byte) => byte === 0)
  }

  take({ address, topics }: Bloomed): void {
    this.#takeValue(address)
    for (const topic of topics) this.#takeValue(topic)
  }

  #takeValue(value: string): void {
    if (!this.isOutside && !mayHold(this.#bloom, value)) this.isOutside = true
    clearBits(this.#missing, value)
  }
}

/** After this many blocks with transactions, a bloom of zeros and no log in their receipts, such a bloom is believed. */
const zeroBloomsMin = 8

/**
 * What the blooms of one network have shown so far. A bloom can show that a block has no log, or no log of some contracts,
 * only if the network fills its blooms and puts every log into them. One log outside its bloom ends that for good.
 */
export class Blooms {
  #areFilled = false
  #leaveLogsOut = false
  #confirmedZeros = 0

  /** The logs of a block that were accepted. */
  learn(logsBloom: string | undefined, logs: readonly Bloomed[]): void {
    if (logsBloom === undefined || logs.length === 0) return
    this.note(logsBloom, compareBloom(logsBloom, logs))
  }

  note(logsBloom: string, { isFilled, isOutside }: { isFilled: boolean; isOutside: boolean }): void {
    if (isOutside) this.#leaveLogsOut = true
    else if (isFilled && !isZero(logsBloom)) this.#areFilled = true
  }

  /** A bloom of zeros was right: the receipts of the block have no log. */
  confirmZero(): void {
    this.#confirmedZeros += 1
  }

  /** True if the logs of a block can be compared with its bloom. */
  canCheck(logsBloom: string | undefined, logs: readonly Bloomed[]): boolean {
    if (logsBloom === undefined) return false
    return isZero(logsBloom) ? logs.length === 0 && this.exclude(logsBloom) : fillsBloom(logsBloom, logs)
  }

  /** True when the block can hold no log of these contracts, or none at all where no contract is named. */
  exclude(logsBloom: string | undefined, addresses?: readonly string[]): boolean {
    if (logsBloom === undefined || this.#leaveLogsOut) return false
    if (isZero(logsBloom)) return this.#areFilled && this.#confirmedZeros >= zeroBloomsMin
    const bloom = Buffer.from(logsBloom.slice(2), 'hex')
    return addresses !== undefined && !addresses.some((address) => mayHold(bloom, address))
  }

  /** True if the bloom shows neither that the block has logs nor that it has none. */
  areSilent(logsBloom: string | undefined): boolean {
    return logsBloom === undefined || (isZero(logsBloom) && !this.exclude(logsBloom))
  }
}

export function isZero(logsBloom: string): boolean {
  return /^0x0*$/.test(logsBloom)
}

/**
 * The contracts of which the bloom says that they have a log in the block, and how many of the contracts asked about the
 * bloom would name by chance if none had one. A bloom that says nothing names none.
 */
export function namedInBloom(
  logsBloom: string | undefined,
  addresses: readonly string[],
): { named: string[]; byChance: number } {
  if (logsBloom === undefined) return { named: [], byChance: 0 }
  const bloom = Buffer.from(logsBloom.slice(2), 'hex')
  const bitsSet = bloom.reduce((sum, byte) => sum + bitsIn(byte), 0)
  const byChance = addresses.length * (bitsSet / (8 * bloomBytes)) ** bitsPerValue
  return { named: addresses.filter((address) => mayHold(bloom, address)), byChance }
}

function bitsIn(byte: number): number {
  let count = 0
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1
  return count
}

function mayHold(bloom: Uint8Array, value: string): boolean {
  return bitsOf(value).every((bit) => ((bloom[bloomBytes - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Computes the bloom of logs without one. */
export function computeBloom(logs: readonly Bloomed[]): Uint8Array {
  const bloom = new Uint8Array(bloomBytes)
  for (const { address, topics } of logs)
    for (const value of [address, ...topics])
      for (const bit of bitsOf(value)) {
        const at = bloomBytes - 1 - (bit >> 3)
        bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
      }
  return bloom
}

function clearBits(bloom: Uint8Array, value: string): void {
  for (const bit of bitsOf(value)) {
    const at = bloomBytes - 1 - (bit >> 3)
    bloom[at] = (bloom[at] ?? 0) & ~(1 << (bit & 7))
  }
}

/** Three bits for each value: the first three pairs of bytes of its hash, modulo the 2,048 bits of the bloom. */
function bitsOf(value: string): readonly number[] {
  const known = cachedBits.get(value)
  if (known) return known
  const hash = Buffer.from(keccak256(Buffer.from(value.slice(2), 'hex')))
  const bits = [0, 2, 4].map((offset) => hash.readUInt16BE(offset) & 2047)
  if (cachedBits.size >= cacheMax) cachedBits.clear()
  cachedBits.set(value, bits)
  return bits
}
