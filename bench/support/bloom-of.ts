import { keccak256 } from '../../server/src/engine/sources/evm/abi/keccak.ts'

/** The bloom filter of a block whose logs have these addresses and topics. */
export function bloomOf(values: readonly string[]): string {
  const bits = Buffer.alloc(256)
  for (const value of values) {
    const digest = Buffer.from(keccak256(Buffer.from(value.slice(2), 'hex')))
    for (const at of [0, 2, 4]) {
      const bit = digest.readUInt16BE(at) & 2047
      bits[255 - (bit >> 3)] = (bits[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7))
    }
  }
  return `0x${bits.toString('hex')}`
}
