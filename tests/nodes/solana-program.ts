import { type Line, program } from './solana-elf.ts'

/**
 * A Solana program assembled by hand, because npm has no compiler for its machine. Its data is a mode (u64) and then what
 * an Anchor program sends to itself: the tag of events and the event. Depending on the bits of the mode it logs the event
 * as `emit!` does, invokes itself as `emit_cpi!` does, and fails at the end. It accepts any other data and does nothing.
 */
export const mode = { log: 1, invoke: 2, fail: 4 }

export function emitterProgram(): Uint8Array {
  return program([...findData, ...logEvent, ...invokeItself, ...end])
}

const equal = 0x15
const above = 0x25
const anyBit = 0x45
const below = 0xa5

/**
 * r1 points at the count of accounts, then the accounts, the length of the data, the data, and this program's address.
 * Here there is no account or one. An account is followed by its data, 10 KiB of spare space, and its rent epoch at a
 * multiple of 8.
 */
const findData: Line[] = [
  load(3, 1, 0),
  move(6, 1),
  add(6, 8),
  jump(equal, 3, 0, 'found'),
  load(7, 1, 88),
  [0x0f, 6, 7, 0, 0],
  add(6, 88 + 10_240 + 7),
  [0x57, 6, 0, 0, -8],
  add(6, 8),
  { label: 'found' },
  load(7, 6, 0),
  add(6, 8),
  move(8, 6),
  [0x0f, 8, 7, 0, 0],
  jump(below, 7, 16, 'done'),
  load(9, 6, 0),
  jump(above, 9, 7, 'done'),
  add(6, 8),
  add(7, -8),
]

/** One slice, {address, length}: the event without its tag. */
const logEvent: Line[] = [
  jump(anyBit, 9, mode.log, 'log'),
  jump(0x05, 0, 0, 'logged'),
  { label: 'log' },
  move(1, 6),
  add(1, 8),
  store(-16, 1),
  move(1, 7),
  add(1, -8),
  store(-8, 1),
  move(1, 10),
  add(1, -16),
  set(2, 1),
  { call: 'sol_log_data' },
  { label: 'logged' },
]

/** {program, accounts, count of accounts, data, length of data}. */
const invokeItself: Line[] = [
  jump(anyBit, 9, mode.invoke, 'invoke'),
  jump(0x05, 0, 0, 'invoked'),
  { label: 'invoke' },
  set(1, 0),
  store(-40, 8),
  store(-32, 1),
  store(-24, 1),
  store(-16, 6),
  store(-8, 7),
  move(1, 10),
  add(1, -40),
  set(2, 0),
  set(3, 0),
  set(4, 0),
  set(5, 0),
  { call: 'sol_invoke_signed_c' },
  { label: 'invoked' },
]

const end: Line[] = [
  set(0, 1),
  jump(anyBit, 9, mode.fail, 'out'),
  { label: 'done' },
  set(0, 0),
  { label: 'out' },
  [0x95, 0, 0, 0, 0],
]

function load(to: number, from: number, offset: number): Line {
  return [0x79, to, from, offset, 0]
}

/** An offset on the stack; r10 points at its end. */
function store(offset: number, from: number): Line {
  return [0x7b, 10, from, offset, 0]
}

function move(to: number, from: number): Line {
  return [0xbf, to, from, 0, 0]
}

function set(register: number, value: number): Line {
  return [0xb7, register, 0, 0, value]
}

function add(register: number, value: number): Line {
  return [0x07, register, 0, 0, value]
}

function jump(code: number, register: number, value: number, to: string): Line {
  return { jump: [code, register, 0, 0, value], to }
}
