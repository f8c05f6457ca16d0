import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readFrame, writeFrame } from '../frames.ts'
import { limits } from '../limits.ts'
import type { Turn } from '../protocol.ts'
import { capMemory } from './cap-memory.ts'
import type { Engine } from './engine.ts'
import type { IsolatedVm } from './isolated-vm-module.ts'
import { takeTurn } from './take-turn.ts'
import { warmUp } from './warm-up.ts'

/**
 * The process that runs tenants' code: turns come in on stdin, answers go out on stdout, one at a time and without an
 * event loop. It ends when its parent closes stdin.
 */
const [name, file = ''] = process.argv.slice(2)
const engine = name === 'isolated-vm' ? await openIsolatedVm() : await openQuickjs()
warmUp(engine)

writeFrame(1, {}, [])
for (let frame = readFrame(0); frame; frame = readFrame(0)) {
  const { answer, parts } = takeTurn(engine, frame.header as Turn, frame.body)
  writeFrame(1, answer, parts)
}

async function openQuickjs(): Promise<Engine> {
  const { startQuickjs } = await import('./quickjs.ts')
  const wasm = new WebAssembly.Module(capMemory(readFileSync(file), limits.memoryPages))
  return startQuickjs(wasm, globalThis.gc ?? (() => {}))
}

async function openIsolatedVm(): Promise<Engine> {
  const { startIsolatedVm } = await import('./isolated-vm.ts')
  const { ivm }: { ivm: IsolatedVm } = createRequire(import.meta.url)(file)
  return startIsolatedVm(ivm)
}
