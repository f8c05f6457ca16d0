import { limits } from '../limits.ts'
import { scriptFile } from '../protocol.ts'
import type { CallFailure, CallResult } from './engine.ts'
import { outOfMemory } from './guest-answer.ts'
import type { Isolate, IsolatedVm } from './isolated-vm-module.ts'
import { callInRealm, type SendRequest } from './v8-call.ts'
import { realmCode } from './v8-realm.ts'

export type ScriptIsolate = {
  call(json: string, nowMs: number, wallMs: number): CallResult
  isOpen(): boolean
  close(): void
}

/** Opens an isolate with the script in a frozen realm. Returns a failure if the script does not compile. */
export function openIsolate(ivm: IsolatedVm, code: string): ScriptIsolate | CallFailure {
  const isolate = new ivm.Isolate({ memoryLimit: limits.heapBytes / 1024 / 1024 })
  const close = () => {
    if (!isolate.isDisposed) isolate.dispose()
  }
  const send = openRealm(isolate, code)
  if (typeof send !== 'function') {
    close()
    return send
  }
  const call: ScriptIsolate['call'] = (json, nowMs, wallMs) => {
    try {
      const { called, isTimedOut } = callInRealm(send, json, nowMs, wallMs)
      if (isolate.isDisposed) return outOfMemory
      if (isTimedOut) close()
      return called
    } catch (error) {
      const isMemoryUsedUp = isolate.isDisposed
      close()
      return isMemoryUsedUp ? outOfMemory : { kind: 'crash', message: `the engine stopped: ${messageOf(error)}` }
    }
  }
  return { call, close, isOpen: () => !isolate.isDisposed }
}

/** The tenant's code does not run here: the script is a function that is not called yet. */
const openMs = 5_000

function openRealm(isolate: Isolate, code: string): SendRequest | CallFailure {
  const context = isolate.createContextSync()
  const asReference = { reference: true, timeout: openMs } as const
  const guest = isolate.compileScriptSync(realmCode, { filename: 'guest.js' }).runSync(context, asReference)
  try {
    const script = isolate.compileScriptSync(code, { filename: scriptFile }).runSync(context, asReference)
    const options = { timeout: openMs, result: { reference: true } } as const
    const realm = guest.applySync(undefined, [script.derefInto()], options)
    return (request, timeout, ...values) => String(realm.applySync(undefined, [request, ...values], { timeout }))
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined
    return { kind: 'syntax', message: messageOf(error), ...(stack && { stack }) }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
