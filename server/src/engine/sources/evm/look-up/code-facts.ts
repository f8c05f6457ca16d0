/**
 * What the code of a contract shows without running it: constants of 4 bytes are selectors, of 32 bytes topics. A compiler that
 * saves bytes puts words into the data behind the instructions; `codes` has all bytes.
 */
export type CodeFacts = {
  selectors: ReadonlySet<string>
  words: ReadonlySet<string>
  opcodes: ReadonlySet<number>
  codes: readonly string[]
}

export const noCode: CodeFacts = { selectors: new Set(), words: new Set(), opcodes: new Set(), codes: [] }

const [push1, push32] = [0x60, 0x7f]

/** Constants in hex digits of at least 4 bytes. */
type Constants = ReadonlyMap<string, readonly string[]>

/** The constants by their first 4 bytes, so that code is searched once and not for each of them. */
export function constantsOf(all: readonly string[]): Constants {
  return Map.groupBy(new Set(all), (constant) => constant.slice(0, 8))
}

/** The constants that occur in the code, at any byte. */
export function* findConstants(code: string, constants: Constants): Iterable<string> {
  for (let at = 2; at < code.length; at += 2)
    for (const constant of constants.get(code.slice(at, at + 8)) ?? [])
      if (code.startsWith(constant, at)) yield constant
}

/** True if one of the constants occurs in the code. */
export function hasConstant(code: string, constants: Constants): boolean {
  return !findConstants(code, constants)[Symbol.iterator]().next().done
}

/** Walks the instructions, because bytes inside a constant are no instructions. */
export function codeFacts(code: string): CodeFacts {
  const bytes = Buffer.from(code.slice(2), 'hex')
  const [selectors, words, opcodes] = [new Set<string>(), new Set<string>(), new Set<number>()]
  for (let at = 0; at < bytes.length; at++) {
    const opcode = bytes[at] ?? 0
    opcodes.add(opcode)
    if (opcode < push1 || opcode > push32) continue
    const size = opcode - push1 + 1
    const constant = bytes.subarray(at + 1, at + 1 + size).toString('hex')
    // A compiler leaves out the leading zero byte of a selector.
    if (size === 4 || size === 3) selectors.add(`0x${constant.padStart(8, '0')}`)
    if (size === 32) words.add(`0x${constant}`)
    at += size
  }
  return { selectors, words, opcodes, codes: [code] }
}

/** What the code of several contracts shows together. */
export function joinFacts(all: readonly CodeFacts[]): CodeFacts {
  return {
    selectors: new Set(all.flatMap(({ selectors }) => [...selectors])),
    words: new Set(all.flatMap(({ words }) => [...words])),
    opcodes: new Set(all.flatMap(({ opcodes }) => [...opcodes])),
    codes: all.flatMap(({ codes }) => codes),
  }
}
