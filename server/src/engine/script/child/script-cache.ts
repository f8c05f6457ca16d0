import type { Patches } from './image-patches.ts'

/** `script` is the script's function: a pointer into the memory that the patches restore. */
export type CachedScript = { patches: Patches; script: number }

/** Keeps the most recently used scripts, up to `bytesMax` of memory. */
export function makeScriptCache(bytesMax: number) {
  const scripts = new Map<string, CachedScript>()
  let bytes = 0

  const drop = (code: string): void => {
    const dropped = scripts.get(code)
    if (!dropped) return
    scripts.delete(code)
    bytes -= bytesOf(code, dropped)
  }

  return {
    get: (code: string): CachedScript | undefined => scripts.get(code),
    keep: (code: string, script: CachedScript): void => {
      drop(code)
      scripts.set(code, script)
      bytes += bytesOf(code, script)
      for (const oldest of scripts.keys()) {
        if (bytes <= bytesMax || oldest === code) return
        drop(oldest)
      }
    },
  }
}

/** The objects around the bytes of one script. */
const objectBytes = 1024

function bytesOf(code: string, { patches }: CachedScript): number {
  return code.length + patches.bytes.length + patches.runs.byteLength + patches.tail.length + objectBytes
}
