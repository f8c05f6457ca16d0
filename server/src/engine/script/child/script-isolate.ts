import { limits } from '../limits.ts'
import { scriptFile } from '../protocol.ts'
import type { Called, Failed, Script } from './engine.ts'
import type { CompiledScript, Isolate, IsolatedVm } from './isolated-vm-module.ts'
import { outOfMemory } from './told.ts'
import { type Ask, callWorld } from './v8-call.ts'
import { worldCode } from './v8-world.ts'

export type ScriptIsolate = {
  call(json: string, nowMs: number, wallMs: number): Called
  isOpen(): boolean
  close(): void
}
type Compiled = { ours: CompiledScript; theirs: CompiledScript }
type World = { ask: Ask; release(): void }

/** An isolate with a script in it that has not run yet, or why the script does not compile. */
export function openIsolate(ivm: IsolatedVm, script: Script): ScriptIsolate | Failed {
  const isolate = new ivm.Isolate({ memoryLimit: limits.heapBytes / 1024 / 1024 })
  const close = () => {
    if (!isolate.isDisposed) isolate.dispose()
  }
  const compiled = compile(isolate, script.code)
  if ('kind' in compiled) {
    close()
    return compiled
  }
  let shared: World | undefined
  const callOnce = (json: string, nowMs: number, wallMs: number): Called => {
    const world = shared ?? openWorld(isolate, compiled, script.keepsToItself)
    const { called, isSpent } = callWorld(world.ask, json, nowMs, wallMs)
    if (isolate.isDisposed) return outOfMemory
    if (isSpent) close()
    else if (script.keepsToItself) shared = world
    else world.release()
    return called
  }
  const call: ScriptIsolate['call'] = (json, nowMs, wallMs) => {
    try {
      return callOnce(json, nowMs, wallMs)
    } catch (error) {
      const isMemoryUsedUp = isolate.isDisposed
      close()
      return isMemoryUsedUp ? outOfMemory : { kind: 'crash', message: `the engine stopped: ${messageOf(error)}` }
    }
  }
  return { call, close, isOpen: () => !isolate.isDisposed }
}

function compile(isolate: Isolate, code: string): Compiled | Failed {
  try {
    const ours = isolate.compileScriptSync(worldCode, { filename: 'guest.js' })
    return { ours, theirs: isolate.compileScriptSync(code, { filename: scriptFile }) }
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined
    return { kind: 'syntax', message: messageOf(error), ...(stack && { stack }) }
  }
}

/** Making a world runs nothing of the tenant's: his script is a function that has not been called. */
const openMs = 5_000

function openWorld(isolate: Isolate, { ours, theirs }: Compiled, isShared: boolean): World {
  const context = isolate.createContextSync()
  const asReference = { reference: true, timeout: openMs } as const
  const script = theirs.runSync(context, asReference).derefInto()
  const world = ours
    .runSync(context, asReference)
    .applySync(undefined, [script, isShared], { timeout: openMs, result: { reference: true } })
  const ask: Ask = (question, timeout, ...values) =>
    String(world.applySync(undefined, [question, ...values], { timeout }))
  return { ask, release: () => context.release() }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
