import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { keccak256 } from '../abi/keccak.ts'
import { requireBytes } from './quantities.ts'

type Bloom = { number: number; logsBloom: string | undefined }
type Bloomed = { address: string; topics: readonly string[] }

const bloomBytes = 256
const bitsPerValue = 3
const cacheMax = 50_000

/** Caches hashes, because the same contracts and topics occur in every block and a hash costs more than the rest of the check. */
const cachedBits = new Map<string, readonly number[]>()

/** Refuses an incomplete list of logs, because the header shows that there are more. */
export function requireFilledBloom(header: Bloom, logs: readonly Bloomed[]): void {
  if (fillsBloom(header.logsBloom, logs)) return
  throw new UpstreamError(
    'bad_answer',
    `The node gave ${logs.length} logs of block ${header.number}, and the bloom of the block says that some are missing.`,
  )
}

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
 * True when the logs account for every bit of the header's bloom: most answers with logs missing are caught. Logs beyond
 * the bloom are fine, because some chains leave the logs of system transactions out of it, or never fill it.
 */
export function fillsBloom(logsBloom: string | undefined, logs: readonly Bloomed[]): boolean {
  if (logsBloom === undefined) return true
  const missing = Buffer.from(logsBloom.slice(2), 'hex')
  for (const log of logs) {
    clearBits(missing, log.address)
    for (const topic of log.topics) clearBits(missing, topic)
  }
  return missing.every((byte) => byte === 0)
}

/** What the blooms of one network have shown so far. */
export class Blooms {
  #areFilled = false

  /**
   * True when the block can hold no log of these contracts, or none at all where no contract is named. A bloom of zeros
   * may be one that the chain never fills, until another one has been filled.
   */
  exclude(logsBloom: string | undefined, addresses?: readonly string[]): boolean {
    if (logsBloom === undefined) return false
    if (/^0x0*$/.test(logsBloom)) return this.#areFilled
    this.#areFilled = true
    const bloom = Buffer.from(logsBloom.slice(2), 'hex')
    return addresses !== undefined && !addresses.some((address) => mayHold(bloom, address))
  }
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
