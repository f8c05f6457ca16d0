import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readFrame, writeFrame } from '../frames.ts'
import { limits } from '../limits.ts'
import type { Turn } from '../protocol.ts'
import { capMemory } from './cap-memory.ts'
import type { Engine } from './engine.ts'
import { takeGarbageCollector } from './garbage-collector.ts'
import { startQuickjs } from './quickjs.ts'
import { takeTurn } from './take-turn.ts'
import { warmUp } from './warm-up.ts'

/**
 * The process that runs tenants' code: turns come in on stdin, answers go out on stdout, one at a time and without an
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

/** A world of V8 that all calls share is for scripts that need no other; QuickJS has a fresh one for every call. */
function engineFor({ keepsToItself }: Turn): Engine {
  return keepsToItself && isolatedVm ? isolatedVm : quickjs
}

async function openIsolatedVm(file: string): Promise<Engine> {
  const { startIsolatedVm } = await import('./isolated-vm.ts')
  return startIsolatedVm(createRequire(import.meta.url)(file).ivm)
}
