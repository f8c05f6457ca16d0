/** Contracts for tests, assembled by hand: a few opcodes each, so that no compiler and no build artefact is needed. */

const opcodes: Record<string, string> = {
  STOP: '00',
  ADD: '01',
  SUB: '03',
  EQ: '14',
  SHR: '1c',
  CALLDATALOAD: '35',
  CALLDATASIZE: '36',
  CALLDATACOPY: '37',
  CODECOPY: '39',
  MSTORE: '52',
  SLOAD: '54',
  SSTORE: '55',
  JUMPI: '57',
  GAS: '5a',
  JUMPDEST: '5b',
  CALL: 'f1',
  RETURN: 'f3',
  DUP1: '80',
  REVERT: 'fd',
}

/** Numbers are pushed as two bytes each; the digit of `LOG3` and the like selects the opcode; all others are in the table. */
function assemble(...code: (string | number)[]): string {
  return code
    .map((each) => {
      if (typeof each === 'number') return `61${each.toString(16).padStart(4, '0')}`
      return each.startsWith('LOG') ? `a${each.slice(3)}` : (opcodes[each] ?? each)
    })
    .join('')
}

/** Emits a log of its calldata: the first words are the topics, the rest is the data. */
export function emitter(topics: number): string {
  const dataStart = 32 * topics
  const dataSize = [dataStart, 'CALLDATASIZE', 'SUB']
  const topicWords = Array.from({ length: topics }, (_, index) => [32 * (topics - 1 - index), 'CALLDATALOAD']).flat()
  return assemble(...dataSize, dataStart, 0, 'CALLDATACOPY', ...topicWords, ...dataSize, 0, `LOG${topics}`, 'STOP')
}

/** Emits `count` logs of its calldata, as `emitter` does, but the last topic of each is its number modulo `modulo`. */
export function numberedEmitter(topics: number, count: number, modulo: number): string {
  const dataStart = 32 * (topics - 1)
  const dataSize = [dataStart, 'CALLDATASIZE', 'SUB']
  const topicWords = Array.from({ length: topics - 1 }, (_, index) => [
    32 * (topics - 2 - index),
    'CALLDATALOAD',
  ]).flat()
  const logs = Array.from({ length: count }, (_, at) => [at % modulo, ...topicWords, ...dataSize, 0, `LOG${topics}`])
  return assemble(...dataSize, dataStart, 0, 'CALLDATACOPY', ...logs.flat(), 'STOP')
}

/** Calls `target` with its own calldata; then it stops or, as `REVERT`, takes everything back. */
export function forwarder(target: string, how: 'STOP' | 'REVERT' = 'STOP'): string {
  const forward = [0, 0, 'CALLDATASIZE', 0, 0, `73${target.slice(2)}`, 'GAS', 'CALL']
  return assemble('CALLDATASIZE', 0, 0, 'CALLDATACOPY', ...forward, 0, 0, how)
}

/** Returns the arguments of every call. */
export const echo = assemble(4, 'CALLDATASIZE', 'SUB', 4, 0, 'CALLDATACOPY', 4, 'CALLDATASIZE', 'SUB', 0, 'RETURN')

/** Returns these bytes for every call, or reverts with them. */
export function answer(bytes: string, how: 'RETURN' | 'REVERT' = 'RETURN'): string {
  const size = (bytes.length - 2) / 2
  const code = (start: number) => assemble(size, start, 0, 'CODECOPY', size, 0, how)
  return code(code(0).length / 2) + bytes.slice(2)
}

/** Returns the bytes of the called selector. Reverts for any other selector. */
export function answers(bySelector: Record<string, string>): string {
  const entries = Object.entries(bySelector).map(([selector, bytes]) => ({ selector, bytes: bytes.slice(2) }))
  const code = (jumps: number[], starts: number[]) => {
    const tests = entries.map(({ selector }, at) => [
      ...[`63${selector.slice(2)}`, 0, 'CALLDATALOAD', 0xe0, 'SHR', 'EQ', jumps[at] ?? 0, 'JUMPI'],
    ])
    const returns = entries.map(({ bytes }, at) => {
      const size = bytes.length / 2
      return assemble('JUMPDEST', size, starts[at] ?? 0, 0, 'CODECOPY', size, 0, 'RETURN')
    })
    return { head: assemble(...tests.flat(), 0, 0, 'REVERT'), returns }
  }
  const sizes = code([], [])
  const jumps = offsets(sizes.head.length, sizes.returns)
  const dataStart = sizes.head.length + sizes.returns.join('').length
  const data = entries.map(({ bytes }) => bytes)
  const { head, returns } = code(jumps, offsets(dataStart, data))
  return head + returns.join('') + data.join('')
}

/** Where each text begins, in bytes, if they follow one another from `start` hex digits on. */
function offsets(start: number, texts: readonly string[]): number[] {
  return texts.map((_, at) => (start + texts.slice(0, at).join('').length) / 2)
}

/** Counts calls without data; returns the count for all others. */
export const counter = assemble(
  ...['CALLDATASIZE', 0x12, 'JUMPI', 1, 0, 'SLOAD', 'ADD', 0, 'SSTORE', 'STOP'],
  ...['JUMPDEST', 0, 'SLOAD', 0, 'MSTORE', 32, 0, 'RETURN'],
)

/**
 * A call of two words stores the second at the first. A call of four words emits a log of three topics and one word. Every
 * other call gets five words, from the slot of its selector on.
 */
export const values = assemble(
  ...[64, 'CALLDATASIZE', 'EQ', 0x53, 'JUMPI', 128, 'CALLDATASIZE', 'EQ', 0x5e, 'JUMPI'],
  ...[0, 'CALLDATALOAD', 224, 'SHR'],
  ...[0, 1, 2, 3, 4].flatMap((at) => ['DUP1', at, 'ADD', 'SLOAD', 32 * at, 'MSTORE']),
  ...[160, 0, 'RETURN', 'JUMPDEST', 32, 'CALLDATALOAD', 0, 'CALLDATALOAD', 'SSTORE', 'STOP'],
  ...['JUMPDEST', 32, 96, 0, 'CALLDATACOPY', 64, 'CALLDATALOAD', 32, 'CALLDATALOAD', 0, 'CALLDATALOAD', 32, 0, 'LOG3'],
)

/** The init code that deploys a contract's code. */
export function deployment(runtime: string): string {
  const size = runtime.length / 2
  const code = (start: number) => assemble(size, start, 0, 'CODECOPY', size, 0, 'RETURN')
  return `0x${code(code(0).length / 2)}${runtime}`
}
