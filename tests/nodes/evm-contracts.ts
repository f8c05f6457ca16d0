/** Contracts for tests, assembled by hand: a few opcodes each, so that no compiler and no build artefact is needed. */

const opcodes: Record<string, string> = {
  STOP: '00',
  ADD: '01',
  SUB: '03',
  EQ: '14',
  SHR: '1c',
  CALLVALUE: '34',
  CALLDATALOAD: '35',
  CALLDATASIZE: '36',
  CALLDATACOPY: '37',
  CODECOPY: '39',
  RETURNDATASIZE: '3d',
  RETURNDATACOPY: '3e',
  MSTORE: '52',
  SLOAD: '54',
  SSTORE: '55',
  JUMPI: '57',
  GAS: '5a',
  JUMPDEST: '5b',
  CALL: 'f1',
  RETURN: 'f3',
  DELEGATECALL: 'f4',
  DUP1: '80',
  REVERT: 'fd',
  SELFDESTRUCT: 'ff',
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

/**
 * The first word of its calldata is the number of topics; topics and data follow, and it emits them as a log. It accepts
 * every other call. `constants` are selectors and topics that its code contains, as the code of a compiled contract does.
 */
export function anyEmitter(constants: readonly string[] = []): string {
  const counts = [0, 1, 2, 3, 4]
  const body = (topics: number) => {
    const dataStart = 32 * (topics + 1)
    const dataSize = [dataStart, 'CALLDATASIZE', 'SUB']
    const words = Array.from({ length: topics }, (_, index) => [32 * (topics - index), 'CALLDATALOAD']).flat()
    return assemble(
      'JUMPDEST',
      ...dataSize,
      dataStart,
      0,
      'CALLDATACOPY',
      ...words,
      ...dataSize,
      0,
      `LOG${topics}`,
      'STOP',
    )
  }
  const bodies = counts.map(body)
  const head = (starts: number[]) =>
    assemble(...counts.flatMap((topics) => [0, 'CALLDATALOAD', topics, 'EQ', starts[topics] ?? 0, 'JUMPI']), 'STOP')
  const pushed = constants.map((constant) => (constant.length === 10 ? '63' : '7f') + constant.slice(2))
  return head(offsets(head([]).length, bodies)) + bodies.join('') + pushed.join('')
}

/** The calldata with which `anyEmitter` emits a log. */
export function emission(topics: readonly string[], data: string): string {
  const words = [topics.length.toString(16).padStart(64, '0'), ...topics.map((topic) => topic.slice(2))]
  return `0x${words.join('')}${data.slice(2)}`
}

/** A proxy: delegates every call to the contract whose address is in the slot. `before` is put in front of its code. */
export function delegating(slot: string, before = ''): string {
  const call = [0, 0, 'CALLDATASIZE', 0, `7f${slot.slice(2).padStart(64, '0')}`, 'SLOAD', 'GAS', 'DELEGATECALL']
  const copied = ['CALLDATASIZE', 0, 0, 'CALLDATACOPY', ...call, 'RETURNDATASIZE', 0, 0, 'RETURNDATACOPY']
  const code = (end: number) =>
    before + assemble(...copied, end, 'JUMPI', 'RETURNDATASIZE', 0, 'REVERT', 'JUMPDEST', 'RETURNDATASIZE', 0, 'RETURN')
  const failing = assemble('JUMPDEST', 'RETURNDATASIZE', 0, 'RETURN')
  return code((code(0).length - failing.length) / 2)
}

/** The code of EIP-1167. Leading zeros of the address may be left out, with a shorter push. */
export function clone(target: string, bytes = 20): string {
  const push = (0x5f + bytes).toString(16)
  const end = (0x2b - (20 - bytes)).toString(16).padStart(2, '0')
  return `363d3d373d3d3d363d${push}${target.slice(-2 * bytes)}5af43d82803e903d9160${end}57fd5bf3`
}

/** Init code that emits a log and destroys the contract before it exists. */
export const destroyed = `0x${assemble(0, 0, 'LOG0', 0, 'SELFDESTRUCT')}`

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

/** Sends what it gets on to `target`, as a contract does that pays from inside a transaction. */
export function payingTo(target: string): string {
  return assemble(0, 0, 0, 0, 'CALLVALUE', `73${target.slice(2)}`, 'GAS', 'CALL', 'STOP')
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

/** Says yes to the question of ERC-165 whether it is an ERC-721, and zero to everything else. */
export const erc721 = assemble(...[4, 'CALLDATALOAD', 0xe0, 'SHR', '6380ac58cd', 'EQ', 0, 'MSTORE', 32, 0, 'RETURN'])

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

/** The init code that stores words by their slots and deploys a contract's code. */
export function deployment(runtime: string, storage: Record<string, string> = {}): string {
  const size = runtime.length / 2
  const stores = Object.entries(storage).flatMap(([slot, value]) => [
    ...[value, slot].map((word) => `7f${word.slice(2).padStart(64, '0')}`),
    'SSTORE',
  ])
  const code = (start: number) => assemble(...stores, size, start, 0, 'CODECOPY', size, 0, 'RETURN')
  return `0x${code(code(0).length / 2)}${runtime}`
}
