const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const notADigit = 255
const digits = new Uint8Array(128).fill(notADigit)
for (const [value, letter] of [...alphabet].entries()) digits[letter.charCodeAt(0)] = value
/** A program may pass 10 KiB to another program, which is 13,985 characters. */
const lettersMax = 14_000
const groupLetters = 4
const limb = 2 ** 24

/**
 * Decodes the data of instructions, which nodes send only in base58. Libraries stop at 2 KiB or need half a second for the
 * longest data. This one handles four characters and 24 bits at a time. Undefined for invalid or too long text.
 */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > lettersMax) return undefined
  const limbs: number[] = []
  for (let at = 0; at < text.length; at += groupLetters) {
    const group = readGroup(text, at, Math.min(groupLetters, text.length - at))
    if (!group) return undefined
    multiplyAdd(limbs, group.radix, group.value)
  }
  return bytesOf(limbs, leadingZeros(text))
}

function readGroup(text: string, start: number, length: number): { radix: number; value: number } | undefined {
  let [radix, value] = [1, 0]
  for (let at = start; at < start + length; at++) {
    const digit = digits[text.charCodeAt(at)] ?? notADigit
    if (digit === notADigit) return undefined
    radix *= 58
    value = value * 58 + digit
  }
  return { radix, value }
}

/** The lowest limb comes first. 2^24 × 58^4 is far below 2^53, so no product is rounded. */
function multiplyAdd(limbs: number[], radix: number, value: number): void {
  let carry = value
  for (let at = 0; at < limbs.length; at++) {
    const sum = (limbs[at] ?? 0) * radix + carry
    carry = Math.floor(sum / limb)
    limbs[at] = sum - carry * limb
  }
  for (; carry > 0; carry = Math.floor(carry / limb)) limbs.push(carry % limb)
}

function leadingZeros(text: string): number {
  let zeros = 0
  while (text[zeros] === '1') zeros++
  return zeros
}

function bytesOf(limbs: readonly number[], zeros: number): Uint8Array {
  const top = limbs.at(-1) ?? 0
  const missing = top === 0 ? 3 : (Math.clz32(top) - 8) >> 3
  const bytes = new Uint8Array(zeros + Math.max(0, 3 * limbs.length - missing))
  for (let at = bytes.length - 1, offset = 0; at >= zeros; at--, offset++)
    bytes[at] = ((limbs[Math.floor(offset / 3)] ?? 0) >> (8 * (offset % 3))) & 0xff
  return bytes
}
