import { limits } from '../limits.ts'
import { scriptFile } from '../protocol.ts'
import type { Called, Failed } from './engine.ts'
import type { Isolate, IsolatedVm } from './isolated-vm-module.ts'
import { outOfMemory } from './told.ts'
import { type Ask, callWorld } from './v8-call.ts'
import { worldCode } from './v8-world.ts'

export type ScriptIsolate = {
  call(json: string, nowMs: number, wallMs: number): Called
  isOpen(): boolean
  close(): void
}

/** An isolate with a script in a world that nothing can change, or why the script does not compile. */
export function openIsolate(ivm: IsolatedVm, code: string): ScriptIsolate | Failed {
  const isolate = new ivm.Isolate({ memoryLimit: limits.heapBytes / 1024 / 1024 })
  const close = () => {
    if (!isolate.isDisposed) isolate.dispose()
  }
  const ask = openWorld(isolate, code)
  if (typeof ask !== 'function') {
    close()
    return ask
  }
  const call: ScriptIsolate['call'] = (json, nowMs, wallMs) => {
    try {
      const { called, isSpent } = callWorld(ask, json, nowMs, wallMs)
      if (isolate.isDisposed) return outOfMemory
      if (isSpent) close()
      return called
    } catch (error) {
      const isMemoryUsedUp = isolate.isDisposed
      close()
      return isMemoryUsedUp ? outOfMemory : { kind: 'crash', message: `the engine stopped: ${messageOf(error)}` }
    }
  }
  return { call, close, isOpen: () => !isolate.isDisposed }
}

/** Nothing of the tenant's runs here: his script is a function that has not been called. */
const openMs = 5_000

function openWorld(isolate: Isolate, code: string): Ask | Failed {
  const context = isolate.createContextSync()
  const asReference = { reference: true, timeout: openMs } as const
  const ours = isolate.compileScriptSync(worldCode, { filename: 'guest.js' }).runSync(context, asReference)
  try {
    const theirs = isolate.compileScriptSync(code, { filename: scriptFile }).runSync(context, asReference)
    const options = { timeout: openMs, result: { reference: true } } as const
    const world = ours.applySync(undefined, [theirs.derefInto()], options)
    return (question, timeout, ...values) => String(world.applySync(undefined, [question, ...values], { timeout }))
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined
    return { kind: 'syntax', message: messageOf(error), ...(stack && { stack }) }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
