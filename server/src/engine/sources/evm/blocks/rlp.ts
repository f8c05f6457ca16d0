/**
 * RLP, the encoding of Ethereum's tries and receipts: byte strings and lists of encoded items. Bytes are hex without 0x, as
 * nodes send them, because joining texts is several times as fast as joining many small buffers.
 */

export function encodeBytes(hex: string): string {
  if (hex.length === 2 && hex < '80') return hex
  return prefix(0x80, hex.length / 2) + hex
}

export function encodeList(encoded: readonly string[]): string {
  const body = encoded.join('')
  return prefix(0xc0, body.length / 2) + body
}

/** Without leading zeros; zero is the empty string. */
export function encodeInteger(value: number): string {
  return encodeBytes(bigEndian(value))
}

function prefix(offset: number, length: number): string {
  if (length <= 55) return (offset + length).toString(16).padStart(2, '0')
  const size = bigEndian(length)
  return (offset + 55 + size.length / 2).toString(16) + size
}

function bigEndian(value: number): string {
  if (value === 0) return ''
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
