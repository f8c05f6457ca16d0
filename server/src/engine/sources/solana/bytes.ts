import type { BytesEncoding } from '@tocsin/contract'

/** Bytes as text: hex as on the other chains, or base64 as in Solana's own tools. */
export function textOf(bytes: Uint8Array, encoding: BytesEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return encoding === 'hex' ? `0x${buffer.toString('hex')}` : buffer.toString('base64')
}

export function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte)
}
