import { UpstreamError } from '../../world.ts'
import { keccak256 } from './keccak.ts'

type Bloom = { number: number; logsBloom: string }
type Bloomed = { address: string; topics: readonly string[] }

const bloomBytes = 256
const cacheMax = 50_000

/** The same contracts and topics come in every block, and a hash costs more than all the rest of the check. */
const cachedBits = new Map<string, readonly number[]>()

/** Never taken for a quiet block: the header says that there is more. */
export function requireFilledBloom(header: Bloom, logs: readonly Bloomed[]): void {
  if (fillsBloom(header.logsBloom, logs)) return
  throw new UpstreamError(
    'bad_answer',
    `The node gave ${logs.length} logs of block ${header.number}, and the bloom of the block says that some are missing.`,
  )
}

/**
 * True when the logs account for every bit of the header's bloom: a node that answers with logs missing is caught.
 * Logs beyond the bloom are fine, because some chains leave the logs of system transactions out of it; a bloom of
 * zeros says nothing, because some chains never fill it.
 */
export function fillsBloom(logsBloom: string, logs: readonly Bloomed[]): boolean {
  const missing = Buffer.from(logsBloom.slice(2), 'hex')
  if (missing.length !== bloomBytes) return true
  for (const log of logs) {
    clearBits(missing, log.address)
    for (const topic of log.topics) clearBits(missing, topic)
  }
  return missing.every((byte) => byte === 0)
}

/** The bloom of logs that came without one. */
export function bloomOf(logs: readonly Bloomed[]): Uint8Array {
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
