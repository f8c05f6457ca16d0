import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limits } from '../limits.ts'
import { readFrame, type Turn, writeFrame } from '../protocol.ts'
import { capMemory } from './cap-memory.ts'
import { startQuickjs } from './quickjs.ts'
import { takeTurn, warmUp } from './take-turn.ts'

/**
 * The process that runs tenants' code. It reads turns from stdin and writes answers to stdout, one at a time, without an
 * event loop. It ends when its parent closes stdin.
 */
const [wasm = ''] = process.argv.slice(2)
const quickjs = startQuickjs(
  new WebAssembly.Module(capMemory(readFileSync(wasm), limits.memoryPages)),
  takeGarbageCollector(),
)
warmUp(quickjs)

writeFrame(1, {}, [])
for (let frame = readFrame(0); frame; frame = readFrame(0)) {
  const turn = frame.header as Turn
  const { answer, parts } = takeTurn(quickjs, turn, frame.body)
  writeFrame(1, answer, parts)
}

/** Node exposes `gc` only with a flag. The flag is reset at once, so that no later context, such as a script's, sees `gc`. */
function takeGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}
