import { createHash, getHashes } from 'node:crypto'
import * as Hash from 'ox/Hash'

/** Node's own where its OpenSSL has it (3.2 and later): some ten times as fast as the one in JavaScript. */
export const keccak256: (bytes: Uint8Array) => Uint8Array = getHashes().includes('keccak-256')
  ? (bytes) => createHash('keccak-256').update(bytes).digest()
  : (bytes) => Hash.keccak256(bytes, { as: 'Bytes' })

/** The hash by which events and functions are called: of `Transfer(address,address,uint256)`, say. */
export function hashSignature(signature: string): string {
  return `0x${Buffer.from(keccak256(Buffer.from(signature))).toString('hex')}`
}
