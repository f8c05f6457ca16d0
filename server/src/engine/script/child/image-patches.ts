import type { Image } from './quickjs-machine.ts'

/**
 * How the memory of a loaded script differs from the base image. A script changes about a thirtieth of it, so a child can
 * keep a thousand scripts in the memory of thirty whole images. `bytes` has all changed runs, one after another; `runs` has
 * the place in the heap and the length of each.
 */
export type Patches = { runs: Uint32Array; bytes: Uint8Array; heapBytes: number; tail: Uint8Array; size: number }

/** Two runs with fewer equal words between them are one run, because copying is cheaper than starting a run. */
const gapWords = 16

export function diffImages(base: Image, image: Image): Patches {
  const runs = findRuns(wordsOf(base.heap), wordsOf(image.heap))
  const ranges = runs.map(([from, to]) => image.heap.subarray(4 * from, 4 * to))
  const rest = image.heap.subarray(image.heap.length & ~3)
  return {
    runs: Uint32Array.from([...ranges, rest].flatMap(({ byteOffset, length }) => [byteOffset, length])),
    bytes: new Uint8Array(Buffer.concat([...ranges, rest])),
    heapBytes: image.heap.length,
    tail: image.tail,
    size: image.size,
  }
}

/** Returns the ranges of words that differ, each from its first word to the one after its last. */
function findRuns(before: Int32Array, after: Int32Array): [from: number, to: number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < after.length; at++) {
    if (before[at] === after[at]) continue
    const last = runs.at(-1)
    if (last && at - last[1] < gapWords) last[1] = at + 1
    else runs.push([at, at + 1])
  }
  return runs
}

/** Returns a function that rebuilds an image. It uses one buffer, so an image is valid until the next one is built. */
export function openImageBuilder(base: Image): (patches: Patches) => Image {
  let buffer = new Uint8Array(base.heap.length)
  return ({ runs, bytes, heapBytes, tail, size }) => {
    if (buffer.length < heapBytes) buffer = new Uint8Array(heapBytes)
    const heap = buffer.subarray(0, heapBytes)
    heap.set(base.heap.subarray(0, heapBytes))
    let done = 0
    for (let at = 0; at < runs.length; at += 2) {
      const [start = 0, length = 0] = [runs[at], runs[at + 1]]
      heap.set(bytes.subarray(done, done + length), start)
      done += length
    }
    return { heap, tail, size }
  }
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
}
