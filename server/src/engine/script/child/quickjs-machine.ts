import { makeKeccak } from '../abi/guest-keccak.ts'
import { limits } from '../limits.ts'
import { type GuestHost, importsOf, type QuickjsExports } from './quickjs-exports.ts'

/** A guest's state: its heap up to the last used byte, and the allocator's data at the end of the memory. */
export type Image = { heap: Uint8Array; tail: Uint8Array; size: number }

const keccak = makeKeccak()

export type Machine = ReturnType<typeof openMachine>

/** A QuickJS instance whose state can be saved and restored. If a function throws, the instance must be replaced. */
export function openMachine(module: WebAssembly.Module, host: GuestHost) {
  const guest: QuickjsExports = new WebAssembly.Instance<QuickjsExports>(
    module,
    importsOf(
      host,
      () => guest.memory,
      (_name, _nameBytes, _self, count, values) => hashArgument(count, values),
    ),
  ).exports
  const stackTop = guest.__stack_pointer.value
  const bytes = viewOf(guest.memory)

  /** Copies text into the guest's memory with a final NUL, as the engine's parser expects. */
  const writeBytes = (text: Uint8Array): number => {
    const at = guest.wasm_malloc(text.length + 1)
    if (at === 0) throw new RangeError('out of memory')
    const memory = bytes()
    memory.set(text, at)
    memory[at + text.length] = 0
    return at
  }

  const newString = (text: Uint8Array): number => {
    const at = writeBytes(text)
    const value = guest.qjs_new_string(at, text.length)
    guest.wasm_free(at)
    return value
  }

  /** The bytes of a guest string; undefined if the value is not a string or the memory is used up. */
  const readText = (value: number): Uint8Array | undefined => {
    if (guest.qjs_is_string(value) === 0) return undefined
    const lengthAt = guest.wasm_malloc(4)
    const at = guest.qjs_get_string_len(value, lengthAt)
    if (at === 0) return undefined
    const memory = bytes()
    return Buffer.from(memory.subarray(at, at + memory.readUInt32LE(lengthAt)))
  }

  /** Keccak-256 costs milliseconds inside QuickJS, and microseconds here. */
  const hashArgument = (count: number, values: number): number => {
    const text = count > 0 ? readText(bytes().readUInt32LE(values)) : undefined
    return text ? newString(Buffer.from(keccak(text.toString()))) : guest.qjs_get_undefined()
  }

  return {
    guest,
    writeBytes,
    bytes,
    stackTop,
    newString,
    readText,
    call: (callee: number, ...values: number[]): number => {
      const at = guest.wasm_malloc(values.length * 4)
      const memory = bytes()
      values.forEach((value, index) => {
        memory.writeUInt32LE(value, at + index * 4)
      })
      return guest.qjs_call(callee, guest.qjs_get_undefined(), values.length, at)
    },
    size: (): number => guest.memory.buffer.byteLength,
    resize: (size: number): void => {
      guest.memory.grow((size - guest.memory.buffer.byteLength) / pageBytes)
    },
    saveImage: (): Image => {
      const end = endOfUse(guest)
      const memory = bytes()
      return {
        heap: new Uint8Array(memory.subarray(stackTop, end)),
        tail: new Uint8Array(memory.subarray(-tailBytes)),
        size: memory.length,
      }
    },
    /** Skips the first `constantBytes` of the image, which are already in memory. */
    restoreImage: (image: Image, constantBytes = 0): void => {
      const memory = bytes()
      memory.set(image.heap.subarray(constantBytes), stackTop + constantBytes)
      memory.set(image.tail, memory.length - tailBytes)
      guest.__stack_pointer.value = stackTop
    },
    /** Zeroes all memory that restoring the image does not overwrite. */
    wipeOutside: ({ heap }: Image): void => {
      const memory = bytes()
      memory.fill(0, 0, stackTop)
      memory.fill(0, Math.min(stackTop + heap.length, memory.length))
    },
  }
}

/** Returns the current memory. The view is cached because new views were a tenth of a call's cost. */
function viewOf(memory: WebAssembly.Memory): () => Buffer {
  let view = Buffer.from(memory.buffer)
  return () => {
    const hasGrown = view.length === 0
    if (hasGrown) view = Buffer.from(memory.buffer)
    return view
  }
}

const tailBytes = 256

/** Free room for calls, so that the memory rarely grows: a machine whose memory grew is replaced. */
const roomBytes = 1024 * 1024

/** Allocates a block too large for any gap, so it lies after all used memory, and frees it again as room for the calls. */
function endOfUse(guest: QuickjsExports): number {
  const at = guest.wasm_malloc(roomBytes)
  if (at === 0) throw new RangeError('out of memory')
  guest.wasm_free(at)
  return at + allocatorMarkBytes
}
const allocatorMarkBytes = 64

const pageBytes = 65536

/** All intrinsics except `performance`, which is a real clock, and weak references, which expose garbage collection. */
const intrinsics = 0xffff_ffff & ~(1 << 9) & ~(1 << 10)

/** The memory is restored after each call, so garbage collection pays only for large amounts. */
const garbageBytes = 4 * 1024 * 1024

export function startGuest(machine: Machine): void {
  machine.guest._initialize()
  if (machine.guest.qjs_init2(intrinsics) !== 0) throw new Error('QuickJS did not start')
  machine.guest.qjs_set_memory_limit(limits.heapBytes)
  machine.guest.qjs_set_max_stack_size(limits.stackBytes)
  machine.guest.qjs_set_interrupt_handler(1)
  machine.guest.qjs_set_gc_threshold(garbageBytes)
}
