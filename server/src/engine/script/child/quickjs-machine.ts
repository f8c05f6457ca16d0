import { limits } from '../limits.ts'
import { importsOf, type QuickjsExports, type Surroundings } from './quickjs-exports.ts'

/** The state of a guest: its heap up to the last byte in use, and the allocator's mark at the end of the memory. */
export type Image = { heap: Uint8Array; tail: Uint8Array; size: number }

export type Machine = ReturnType<typeof openMachine>

/** A QuickJS instance whose state can be taken and put back. It throws when the guest broke it: then it is replaced. */
export function openMachine(module: WebAssembly.Module, around: Surroundings) {
  const guest: QuickjsExports = new WebAssembly.Instance<QuickjsExports>(
    module,
    importsOf(around, () => guest.memory),
  ).exports
  const stackTop = guest.__stack_pointer.value
  const bytes = viewOf(guest.memory)

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
      const memory = bytes()
      values.forEach((value, index) => {
        memory.writeUInt32LE(value, at + index * 4)
      })
      return guest.qjs_call(callee, guest.qjs_get_undefined(), values.length, at)
    },
    /** The bytes of a string of the guest; undefined when it is something else or does not fit its memory. */
    text: (value: number): Uint8Array | undefined => {
      if (guest.qjs_is_string(value) === 0) return undefined
      const lengthAt = guest.wasm_malloc(4)
      const at = guest.qjs_get_string_len(value, lengthAt)
      if (at === 0) return undefined
      const memory = bytes()
      return Buffer.from(memory.subarray(at, at + memory.readUInt32LE(lengthAt)))
    },
    size: (): number => guest.memory.buffer.byteLength,
    resize: (size: number): void => {
      guest.memory.grow((size - guest.memory.buffer.byteLength) / pageBytes)
    },
    take: (): Image => {
      const end = endOfUse(guest)
      const memory = bytes()
      return {
        heap: new Uint8Array(memory.subarray(stackTop, end)),
        tail: new Uint8Array(memory.subarray(-tailBytes)),
        size: memory.length,
      }
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

/** The memory as it is now. The view is kept: some of them made anew for every call were a tenth of its cost. */
function viewOf(memory: WebAssembly.Memory): () => Buffer {
  let view = Buffer.from(memory.buffer)
  return () => {
    const hasGrown = view.length === 0
    if (hasGrown) view = Buffer.from(memory.buffer)
    return view
  }
}

const tailBytes = 256

/** A little room that calls may use before the memory has to grow: a machine that grew is replaced. */
const roomBytes = 1024 * 1024

/** A block too large for any gap lies after everything in use. Given back, it is the room for the calls. */
function endOfUse(guest: QuickjsExports): number {
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
