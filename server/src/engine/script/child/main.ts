import { readFileSync } from 'node:fs'
import { readFrame, writeFrame } from '../frames.ts'
import { limits } from '../limits.ts'
import type { Turn } from '../protocol.ts'
import { capMemory } from './cap-memory.ts'
import { startQuickjs } from './quickjs.ts'
import { takeTurn } from './take-turn.ts'
import { warmUp } from './warm-up.ts'

/**
 * The process that runs tenants' code: turns come in on stdin, answers go out on stdout, one at a time and without an
 * event loop. It ends when its parent closes stdin.
 */
const [wasmFile = ''] = process.argv.slice(2)
const wasm = new WebAssembly.Module(capMemory(readFileSync(wasmFile), limits.memoryPages))
const engine = startQuickjs(wasm, globalThis.gc ?? (() => {}))
warmUp(engine)

writeFrame(1, {}, [])
for (let frame = readFrame(0); frame; frame = readFrame(0)) {
  const { answer, parts } = takeTurn(engine, frame.header as Turn, frame.body)
  writeFrame(1, answer, parts)
}
