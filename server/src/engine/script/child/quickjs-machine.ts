import { limits } from '../limits.ts'

/** The functions of the QuickJS module that we use; values of the guest are pointers into its memory. */
type Exports = {
  memory: WebAssembly.Memory
  __stack_pointer: WebAssembly.Global
  _initialize(): void
  qjs_init2(intrinsics: number): number
  qjs_set_memory_limit(bytes: number): void
  qjs_set_max_stack_size(bytes: number): void
  qjs_set_interrupt_handler(isOn: number): void
  qjs_set_gc_threshold(bytes: number): void
  qjs_eval(code: number, codeBytes: number, file: number, flags: number): number
  qjs_call(callee: number, self: number, count: number, values: number): number
  qjs_new_string(text: number, bytes: number): number
  qjs_new_number(value: number): number
  qjs_get_undefined(): number
  qjs_get_prop_string(object: number, name: number): number
  qjs_get_string_len(value: number, lengthAt: number): number
  qjs_is_string(value: number): number
  qjs_is_exception(value: number): number
  qjs_get_exception(): number
  qjs_is_job_pending(): number
  qjs_execute_pending_job(): number
  wasm_malloc(bytes: number): number
  wasm_free(at: number): void
}

/** What the guest sees of the world: a clock that stands still, and a hand on its shoulder when its time is up. */
export type Surroundings = { nowMs: number; isOverdue(): boolean }

/** The state of a guest: its heap up to the last byte in use, and the allocator's mark at the end of the memory. */
export type Image = { heap: Uint8Array; tail: Uint8Array; size: number }

export type Machine = ReturnType<typeof openMachine>

/** A QuickJS instance whose state can be taken and put back. It throws when the guest broke it: then it is replaced. */
export function openMachine(module: WebAssembly.Module, around: Surroundings) {
  const guest: Exports = new WebAssembly.Instance<Exports>(
    module,
    importsOf(around, () => guest.memory),
  ).exports
  const stackTop = guest.__stack_pointer.value
  const bytes = () => new Uint8Array(guest.memory.buffer)

  /** NUL-terminated, as the engine's parser wants it. */
  const place = (text: Uint8Array): number => {
    const at = guest.wasm_malloc(text.length + 1)
    if (at === 0) throw new RangeError('out of memory')
    const memory = bytes()
    memory.set(text, at)
    memory[at + text.length] = 0
    return at
  }

  return {
    guest,
    place,
    bytes,
    stackTop,
    string: (text: Uint8Array): number => {
      const at = place(text)
      const value = guest.qjs_new_string(at, text.length)
      guest.wasm_free(at)
      return value
    },
    call: (callee: number, ...values: number[]): number => {
      const at = guest.wasm_malloc(values.length * 4)
      new Uint32Array(guest.memory.buffer, at, values.length).set(values)
      return guest.qjs_call(callee, guest.qjs_get_undefined(), values.length, at)
    },
    /** The bytes of a string of the guest; undefined when it is something else or does not fit its memory. */
    text: (value: number): Uint8Array | undefined => {
      if (guest.qjs_is_string(value) === 0) return undefined
      const lengthAt = guest.wasm_malloc(4)
      const at = guest.qjs_get_string_len(value, lengthAt)
      if (at === 0) return undefined
      return bytes().slice(at, at + new DataView(guest.memory.buffer).getUint32(lengthAt, true))
    },
    size: (): number => guest.memory.buffer.byteLength,
    resize: (size: number): void => {
      guest.memory.grow((size - guest.memory.buffer.byteLength) / pageBytes)
    },
    take: (): Image => {
      const end = endOfUse(guest)
      const memory = bytes()
      return { heap: memory.slice(stackTop, end), tail: memory.slice(-tailBytes), size: memory.length }
    },
    /** `constantBytes` at the beginning of the image are known to be there already. */
    put: (image: Image, constantBytes = 0): void => {
      const memory = bytes()
      memory.set(image.heap.subarray(constantBytes), stackTop + constantBytes)
      memory.set(image.tail, memory.length - tailBytes)
      guest.__stack_pointer.value = stackTop
    },
    wipe: (): void => {
      bytes().fill(0)
    },
  }
}

const tailBytes = 256

/** A little room that calls may use before the memory has to grow: a machine that grew is replaced. */
const roomBytes = 1024 * 1024

/** A block too large for any gap lies after everything in use. Given back, it is the room for the calls. */
function endOfUse(guest: Exports): number {
  const at = guest.wasm_malloc(roomBytes)
  if (at === 0) throw new RangeError('out of memory')
  guest.wasm_free(at)
  return at + allocatorMarkBytes
}
const allocatorMarkBytes = 64

const pageBytes = 65536

/** Everything but `performance`, a second clock, and weak references, which show when memory is collected. */
const intrinsics = 0xffff_ffff & ~(1 << 9) & ~(1 << 10)

/** What a call leaves is gone after it anyway: garbage is only worth collecting when there is much of it. */
const garbageBytes = 4 * 1024 * 1024

export function startGuest(machine: Machine): void {
  machine.guest._initialize()
  if (machine.guest.qjs_init2(intrinsics) !== 0) throw new Error('QuickJS did not start')
  machine.guest.qjs_set_memory_limit(limits.heapBytes)
  machine.guest.qjs_set_max_stack_size(limits.stackBytes)
  machine.guest.qjs_set_interrupt_handler(1)
  machine.guest.qjs_set_gc_threshold(garbageBytes)
}

function importsOf(around: Surroundings, memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const nothing = () => 0
  const notHere = 52
  return {
    env: {
      host_interrupt: () => (around.isOverdue() ? 1 : 0),
      host_get_timezone_offset: nothing,
      host_promise_rejection: nothing,
      host_module_normalize: nothing,
      host_module_load: nothing,
      host_call: nothing,
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock: number, _precision: bigint, at: number) => {
        new DataView(memory().buffer).setBigUint64(at, BigInt(around.nowMs) * 1_000_000n, true)
        return 0
      },
      random_get: (at: number, count: number) => {
        new Uint8Array(memory().buffer, at, count).fill(0)
        return 0
      },
      fd_write: () => notHere,
      fd_close: () => notHere,
      fd_fdstat_get: () => notHere,
      fd_seek: () => notHere,
    },
  }
}
