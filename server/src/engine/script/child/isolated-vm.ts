import { limits } from '../limits.ts'
import { cpuMs } from './cpu-clock.ts'
import type { Called, Engine, Failed } from './engine.ts'
import type { IsolatedVm } from './isolated-vm-module.ts'
import { openIsolate, type ScriptIsolate } from './script-isolate.ts'

/** Shares of its CPU time that a call got: enough to say that it used it, and the least that is worth waiting for. */
const enough = 0.9
const least = 0.05

/**
 * V8 by the package `isolated-vm`: an isolate for each script. It runs long calculations many times faster than QuickJS,
 * but a script can end the whole process, and V8 looks at no deadline in some of its own functions: only a process that
 * may be killed can do this.
 */
export function startIsolatedVm(ivm: IsolatedVm): Engine {
  const ready = new Map<string, ScriptIsolate>()

  const keep = (code: string, isolate: ScriptIsolate): void => {
    ready.delete(code)
    ready.set(code, isolate)
    for (const [oldest, { close }] of ready) {
      if (ready.size <= limits.readyIsolates) return
      ready.delete(oldest)
      close()
    }
  }

  const isolateOf = (code: string): ScriptIsolate | Failed => {
    const kept = ready.get(code)
    const isolate = kept?.isOpen() ? kept : openIsolate(ivm, code)
    if ('call' in isolate) keep(code, isolate)
    return isolate
  }

  const call = (code: string, json: string, nowMs: number, wallMs: number): Called => {
    const isolate = isolateOf(code)
    return 'call' in isolate ? isolate.call(json, nowMs, wallMs) : isolate
  }

  /**
   * V8 counts the time on the wall. A call that did not get its CPU time in it is made again, and may take as much longer
   * as the machine seems to need.
   */
  const callFairly = (code: string, json: string, nowMs: number, cpuMsMax: number): Called => {
    const began = cpuMs()
    const called = call(code, json, nowMs, Math.ceil(cpuMsMax))
    const share = (cpuMs() - began) / cpuMsMax
    if (called.kind !== 'timeout' || share > enough) return called
    return call(code, json, nowMs, Math.ceil((cpuMsMax / Math.max(share, least)) * 1.25))
  }

  return {
    load: (code) => {
      const isolate = isolateOf(code)
      if (!('call' in isolate)) return isolate
      return {
        kind: 'loaded',
        call: (context, nowMs, cpuMsMax) => callFairly(code, textOf(context), nowMs, cpuMsMax),
      }
    },
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
}
