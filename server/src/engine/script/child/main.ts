import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readFrame, writeFrame } from '../frames.ts'
import { limits } from '../limits.ts'
import type { Turn } from '../protocol.ts'
import { capMemory } from './cap-memory.ts'
import type { Engine } from './engine.ts'
import { startQuickjs } from './quickjs.ts'
import { takeTurn } from './take-turn.ts'
import { warmUp } from './warm-up.ts'

/**
 * The process that runs tenants' code. It reads turns from stdin and writes answers to stdout, one at a time, without an
 * event loop. It ends when its parent closes stdin.
 */
const [wasm = '', binary] = process.argv.slice(2)
const quickjs = startQuickjs(
  new WebAssembly.Module(capMemory(readFileSync(wasm), limits.memoryPages)),
  takeGarbageCollector(),
)
const isolatedVm = binary ? await openIsolatedVm(binary) : undefined
for (const engine of [quickjs, ...(isolatedVm ? [isolatedVm] : [])]) warmUp(engine)

writeFrame(1, {}, [])
for (let frame = readFrame(0); frame; frame = readFrame(0)) {
  const turn = frame.header as Turn
  const { answer, parts } = takeTurn(engineFor(turn), turn, frame.body)
  writeFrame(1, answer, parts)
}

/** V8 runs all calls of a script in one realm, so it gets only scripts that stay isolated. QuickJS has fresh state for each call. */
function engineFor({ staysIsolated }: Turn): Engine {
  return staysIsolated && isolatedVm ? isolatedVm : quickjs
}

async function openIsolatedVm(file: string): Promise<Engine> {
  const { startIsolatedVm } = await import('./isolated-vm.ts')
  return startIsolatedVm(createRequire(import.meta.url)(file).ivm)
}

/** Node exposes `gc` only with a flag. The flag is reset at once, so that no later context, such as a script's, sees `gc`. */
function takeGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}
