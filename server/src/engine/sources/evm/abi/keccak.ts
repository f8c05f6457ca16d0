import { createHash, getHashes } from 'node:crypto'
import * as Hash from 'ox/Hash'

/** Uses Node's own hash if its OpenSSL has it (3.2 and later), which is about ten times as fast as JavaScript. */
export const keccak256: (bytes: Uint8Array) => Uint8Array = getHashes().includes('keccak-256')
  ? (bytes) => createHash('keccak-256').update(bytes).digest()
  : (bytes) => Hash.keccak256(bytes, { as: 'Bytes' })

/** The hash that identifies an event or function, for example of `Transfer(address,address,uint256)`. */
export function hashSignature(signature: string): string {
  return `0x${Buffer.from(keccak256(Buffer.from(signature))).toString('hex')}`
}
