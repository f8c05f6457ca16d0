import { limits } from '../limits.ts'
import { cpuMs } from './cpu-clock.ts'
import type { CallFailure, CallResult, Engine } from './engine.ts'
import type { IsolatedVm } from './isolated-vm-module.ts'
import { openIsolate, type ScriptIsolate } from './script-isolate.ts'

/** A timed-out call that got more than this share of its CPU time is not repeated. `shareMin` limits the timeout of a repeated call. */
const usedShareMin = 0.9
const shareMin = 0.05

/**
 * Runs scripts in V8 by the package `isolated-vm`, with one isolate per script. V8 runs long calculations many times faster
 * than QuickJS. But a script can crash the whole process, and some of V8's own functions ignore the deadline, so it must
 * run in a process that the service can kill.
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

  const isolateOf = (code: string): ScriptIsolate | CallFailure => {
    const kept = ready.get(code)
    const isolate = kept?.isOpen() ? kept : openIsolate(ivm, code)
    if ('call' in isolate) keep(code, isolate)
    return isolate
  }

  const call = (code: string, json: string, nowMs: number, wallMs: number): CallResult => {
    const isolate = isolateOf(code)
    return 'call' in isolate ? isolate.call(json, nowMs, wallMs) : isolate
  }

  /**
   * V8 measures wall-clock time. If a call timed out before it got its CPU time, it runs again with a longer timeout, in
   * proportion to the share of CPU that it got.
   */
  const callFairly = (code: string, json: string, nowMs: number, cpuMsMax: number): CallResult => {
    const began = cpuMs()
    const called = call(code, json, nowMs, Math.ceil(cpuMsMax))
    const share = (cpuMs() - began) / cpuMsMax
    if (called.kind !== 'timeout' || share > usedShareMin) return called
    return call(code, json, nowMs, Math.ceil((cpuMsMax / Math.max(share, shareMin)) * 1.25))
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
