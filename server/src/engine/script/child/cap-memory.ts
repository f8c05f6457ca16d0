/**
 * Writes a maximum memory size into a WebAssembly module. QuickJS has a limit of its own for what scripts allocate; this
 * limit holds even if that one fails.
 */
export function capMemory(wasm: Uint8Array, pagesMax: number): Uint8Array<ArrayBuffer> {
  let at = 8
  while (at < wasm.length) {
    const size = readNumber(wasm, at + 1)
    const end = size.end + size.value
    if (wasm[at] === memorySection) {
      const section = makeMemorySection(wasm.subarray(size.end, end), pagesMax)
      return Buffer.concat([
        wasm.subarray(0, at),
        Uint8Array.of(memorySection, section.length),
        section,
        wasm.subarray(end),
      ])
    }
    at = end
  }
  throw new Error('the module has no memory of its own')
}

const memorySection = 5
const hasMaximum = 1

/** One memory: flags, initial pages, maximum pages. */
function makeMemorySection(section: Uint8Array, pagesMax: number): Uint8Array {
  const pages = readNumber(section, 2)
  return Uint8Array.of(1, hasMaximum, ...writeNumber(pages.value), ...writeNumber(pagesMax))
}

/** Reads a number in LEB128, the number encoding of WebAssembly binaries. */
function readNumber(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0
  let at = from
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return { value, end: at }
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >>> 7)]
}
