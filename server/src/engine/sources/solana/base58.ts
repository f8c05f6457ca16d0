const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const notADigit = 255
const digits = new Uint8Array(128).fill(notADigit)
for (const [value, letter] of [...alphabet].entries()) digits[letter.charCodeAt(0)] = value
/** A program may pass 10 KiB to another program, which is 13,985 characters. */
const lettersMax = 14_000
/** 58^9 is below 2^53, so the value of a group is an exact number. */
const groupLetters = 9

/**
 * Decodes the data of instructions, which nodes send only in base58. Libraries stop at 2 KiB or need half a second for the
 * longest data. This one joins neighbouring groups pair by pair, so that most of the work is a few multiplications of large
 * integers: less than a millisecond for the longest data. Undefined for invalid or too long text.
 */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > lettersMax) return undefined
  const groups: bigint[] = []
  // The first group is the short one, so that all others stand for the same power of 58.
  const rest = text.length % groupLetters
  for (let at = rest - groupLetters; at < text.length; at += groupLetters) {
    const value = readGroup(text, Math.max(0, at), at + groupLetters)
    if (value === undefined) return undefined
    groups.push(BigInt(value))
  }
  const zeros = leadingZeros(text)
  const value = joinGroups(groups)
  const hex = value === 0n ? '' : value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex')
  const decoded = new Uint8Array(zeros + bytes.length)
  decoded.set(bytes, zeros)
  return decoded
}

function readGroup(text: string, from: number, to: number): number | undefined {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = digits[text.charCodeAt(at)] ?? notADigit
    if (digit === notADigit) return undefined
    value = value * 58 + digit
  }
  return value
}

/** The groups are digits, the highest first. Each round halves their number and squares what one of them stands for. */
function joinGroups(groups: readonly bigint[]): bigint {
  let joined = groups
  for (let radix = 58n ** BigInt(groupLetters); joined.length > 1; radix *= radix) {
    const first = joined.length % 2
    const pairs = first === 1 ? [joined[0] ?? 0n] : []
    for (let at = first; at < joined.length; at += 2) pairs.push((joined[at] ?? 0n) * radix + (joined[at + 1] ?? 0n))
    joined = pairs
  }
  return joined[0] ?? 0n
}

function leadingZeros(text: string): number {
  let zeros = 0
  while (text[zeros] === '1') zeros++
  return zeros
}
