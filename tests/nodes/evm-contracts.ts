/** Contracts for tests, assembled by hand: a few opcodes each, so that no compiler and no build artefact is needed. */

const opcodes: Record<string, string> = {
  STOP: '00',
  ADD: '01',
  SUB: '03',
  CALLDATALOAD: '35',
  CALLDATASIZE: '36',
  CALLDATACOPY: '37',
  CODECOPY: '39',
  MSTORE: '52',
  SLOAD: '54',
  SSTORE: '55',
  JUMPI: '57',
  JUMPDEST: '5b',
  RETURN: 'f3',
  REVERT: 'fd',
}

/** Numbers are pushed, two bytes each; `LOG3` and the like are counted; the rest stands in the table. */
function assemble(...code: (string | number)[]): string {
  return code
    .map((each) => {
      if (typeof each === 'number') return `61${each.toString(16).padStart(4, '0')}`
      return each.startsWith('LOG') ? `a${each.slice(3)}` : (opcodes[each] ?? each)
    })
    .join('')
}

/** Emits a log of its calldata: so many words are the topics, the rest is the data. */
export function emitter(topics: number): string {
  const dataStart = 32 * topics
  const dataSize = [dataStart, 'CALLDATASIZE', 'SUB']
  const topicWords = Array.from({ length: topics }, (_, index) => [32 * (topics - 1 - index), 'CALLDATALOAD']).flat()
  return assemble(...dataSize, dataStart, 0, 'CALLDATACOPY', ...topicWords, ...dataSize, 0, `LOG${topics}`, 'STOP')
}

/** Answers every call with the arguments that it was called with. */
export const echo = assemble(4, 'CALLDATASIZE', 'SUB', 4, 0, 'CALLDATACOPY', 4, 'CALLDATASIZE', 'SUB', 0, 'RETURN')

/** Answers every call with these bytes, or reverts with them. */
export function answer(bytes: string, how: 'RETURN' | 'REVERT' = 'RETURN'): string {
  const size = (bytes.length - 2) / 2
  const code = (start: number) => assemble(size, start, 0, 'CODECOPY', size, 0, how)
  return code(code(0).length / 2) + bytes.slice(2)
}

/** Counts the calls that carry no data; answers all others with the count. */
export const counter = assemble(
  ...['CALLDATASIZE', 0x12, 'JUMPI', 1, 0, 'SLOAD', 'ADD', 0, 'SSTORE', 'STOP'],
  ...['JUMPDEST', 0, 'SLOAD', 0, 'MSTORE', 32, 0, 'RETURN'],
)

/** The code that puts a contract's code in place. */
export function deployment(runtime: string): string {
  const size = runtime.length / 2
  const code = (start: number) => assemble(size, start, 0, 'CODECOPY', size, 0, 'RETURN')
  return `0x${code(code(0).length / 2)}${runtime}`
}
