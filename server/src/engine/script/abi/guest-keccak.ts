// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method call, which costs more
/**
 * Keccak-256 for the sandbox, which gets this function as source text, so it must use nothing from outside. A lane of 64 bits
 * is two integers of 32 bits, because BigInt is many times slower in QuickJS. It hashes signatures, which are ASCII.
 */
export function makeKeccak(): (text: string) => string {
  const rateBytes = 136
  const rotations = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44]
  const lanes = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]
  const roundConstants = (
    '0000000000000001 0000000000008082 800000000000808a 8000000080008000 000000000000808b 0000000080000001 ' +
    '8000000080008081 8000000000008009 000000000000008a 0000000000000088 0000000080008009 000000008000000a ' +
    '000000008000808b 800000000000008b 8000000000008089 8000000000008003 8000000000008002 8000000000000080 ' +
    '000000000000800a 800000008000000a 8000000080008081 8000000000008080 0000000080000001 8000000080008008'
  ).split(' ')

  const [highConstants, lowConstants] = [
    roundConstants.map((constant) => Number('0x' + constant.slice(0, 8))),
    roundConstants.map((constant) => Number('0x' + constant.slice(8))),
  ]
  const columns = new Int32Array(10)

  const permute = (high: Int32Array, low: Int32Array): void => {
    for (let round = 0; round < 24; round++) {
      mixColumns(high, low)
      moveLanes(high, low)
      mixRows(high)
      mixRows(low)
      high[0] = (high[0] ?? 0) ^ (highConstants[round] ?? 0)
      low[0] = (low[0] ?? 0) ^ (lowConstants[round] ?? 0)
    }
  }

  const addParities = (part: Int32Array, to: number): void => {
    for (let x = 0; x < 5; x++)
      columns[to + x] =
        (part[x] ?? 0) ^ (part[x + 5] ?? 0) ^ (part[x + 10] ?? 0) ^ (part[x + 15] ?? 0) ^ (part[x + 20] ?? 0)
  }

  const mixColumns = (high: Int32Array, low: Int32Array): void => {
    addParities(high, 0)
    addParities(low, 5)
    for (let x = 0; x < 5; x++) {
      const left = x === 0 ? 4 : x - 1
      const right = x === 4 ? 0 : x + 1
      const rightHigh = columns[right] ?? 0
      const rightLow = columns[right + 5] ?? 0
      const mixedHigh = (columns[left] ?? 0) ^ ((rightHigh << 1) | (rightLow >>> 31))
      const mixedLow = (columns[left + 5] ?? 0) ^ ((rightLow << 1) | (rightHigh >>> 31))
      for (let at = x; at < 25; at += 5) {
        high[at] = (high[at] ?? 0) ^ mixedHigh
        low[at] = (low[at] ?? 0) ^ mixedLow
      }
    }
  }

  const moveLanes = (high: Int32Array, low: Int32Array): void => {
    let movedHigh = high[1] ?? 0
    let movedLow = low[1] ?? 0
    for (let step = 0; step < 24; step++) {
      const to = lanes[step] ?? 0
      const bits = rotations[step] ?? 0
      const first = bits >= 32 ? movedLow : movedHigh
      const second = bits >= 32 ? movedHigh : movedLow
      // No rotation is a multiple of 32, so both shifts are from 1 to 31.
      const rest = bits & 31
      movedHigh = high[to] ?? 0
      movedLow = low[to] ?? 0
      high[to] = (first << rest) | (second >>> (32 - rest))
      low[to] = (second << rest) | (first >>> (32 - rest))
    }
  }

  const mixRows = (part: Int32Array): void => {
    for (let row = 0; row < 25; row += 5) {
      const a = part[row] ?? 0
      const b = part[row + 1] ?? 0
      const c = part[row + 2] ?? 0
      const d = part[row + 3] ?? 0
      const e = part[row + 4] ?? 0
      part[row] = a ^ (~b & c)
      part[row + 1] = b ^ (~c & d)
      part[row + 2] = c ^ (~d & e)
      part[row + 3] = d ^ (~e & a)
      part[row + 4] = e ^ (~a & b)
    }
  }

  const absorb = (block: number[], high: Int32Array, low: Int32Array): void => {
    for (let at = 0; at < rateBytes; at++) {
      const part = at % 8 < 4 ? low : high
      const lane = at >> 3
      part[lane] = (part[lane] ?? 0) ^ ((block[at] ?? 0) << (8 * (at % 4)))
    }
    permute(high, low)
  }

  const hexOf = (part: number): string => {
    let hex = ''
    for (let shift = 0; shift < 32; shift += 8) hex += ((part >>> shift) & 255).toString(16).padStart(2, '0')
    return hex
  }

  return (text) => {
    const [high, low] = [new Int32Array(25), new Int32Array(25)]
    for (let start = 0; start <= text.length; start += rateBytes) {
      const block = Array.from(text.slice(start, start + rateBytes), (character) => character.charCodeAt(0))
      if (block.length < rateBytes) {
        block.push(1)
        while (block.length < rateBytes) block.push(0)
        block[rateBytes - 1] = (block[rateBytes - 1] ?? 0) | 128
      }
      absorb(block, high, low)
    }
    return '0x' + [0, 1, 2, 3].map((lane) => hexOf(low[lane] ?? 0) + hexOf(high[lane] ?? 0)).join('')
  }
}
