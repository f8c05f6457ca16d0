import { limits } from '../limits.ts'
import { scriptFile } from '../protocol.ts'
import { cpuMs } from './cpu-clock.ts'
import { type CallFailure, type CallResult, type Engine, type Loaded, outOfMemory, timeout, tooDeep } from './engine.ts'
import { diffImages, openImageBuilder, type Patches } from './image-patches.ts'
import { callScript, readException } from './quickjs-call.ts'
import { compileGuest, evaluateCode, installGuest } from './quickjs-guest.ts'
import { openMachine, startGuest } from './quickjs-machine.ts'

/**
 * QuickJS as WebAssembly. One instance runs all scripts of the child in turn. A loaded script is an image of the memory,
 * kept as patches to the base image. It is restored before every call; between two scripts all memory outside it is
 * zeroed. This isolates calls as well as a new instance for each call, at a tenth of the cost.
 */
export function startQuickjs(wasm: WebAssembly.Module, collectGarbage: () => void): Engine {
  const deadline = startDeadline()
  const host = { nowMs: 0, isOverdue: deadline.isOverdue }
  const cache = makeScriptCache(limits.readyBytes)
  const bytecode = compileGuest(openMachine(wasm, host))
  let machine = openMachine(wasm, host)
  const memoryBefore = new Uint8Array(machine.bytes().subarray(machine.stackTop))
  startGuest(machine)
  const functions = installGuest(machine, bytecode)
  const base = machine.saveImage()
  const constantBytes = countConstants(memoryBefore, base.heap)
  const buildImage = openImageBuilder(base)
  const noPatches = diffImages(base, base)
  let image = base
  let current: Patches | undefined

  /** Restores the memory of a script, in a memory of its size. */
  const reset = (patches: Patches) => {
    if (machine.size() > patches.size) replaceMachine()
    const isSame = patches === current
    if (!isSame) {
      image = buildImage(patches)
      machine.wipeOutside(image)
    }
    if (machine.size() < image.size) machine.resize(image.size)
    machine.restoreImage(image, isSame ? constantBytes : 0)
    current = patches
  }

  const replaceMachine = () => {
    machine = openMachine(wasm, host)
    current = undefined
    collectGarbage()
  }

  /** Runs a step under a deadline. If the step throws, the machine is replaced. */
  const runWithDeadline = <T>(cpuMsMax: number, step: () => T): T | CallFailure => {
    deadline.set(cpuMsMax)
    try {
      return step()
    } catch (error) {
      replaceMachine()
      return failureOf(error)
    } finally {
      deadline.clear()
    }
  }

  const evaluate = (code: string): CachedScript | CallFailure => {
    reset(noPatches)
    const script = evaluateCode(machine, code, scriptFile)
    if (machine.guest.qjs_is_exception(script) === 0) return { patches: diffImages(base, machine.saveImage()), script }
    if (deadline.isOverdue()) return timeout
    const failed = readException(machine, functions, deadline)
    return failed.kind === 'throw' ? { ...failed, kind: 'syntax' } : failed
  }

  const makeLoaded = ({ patches, script }: CachedScript): Loaded => ({
    kind: 'loaded',
    call: (context, nowMs, cpuMsMax) => {
      host.nowMs = nowMs
      return runWithDeadline<CallResult>(cpuMsMax, () => {
        reset(patches)
        return callScript(machine, functions, { script, context, nowMs }, deadline)
      })
    },
  })

  const load = (code: string, cpuMsMax: number): Loaded | CallFailure => {
    const cached = cache.get(code) ?? runWithDeadline(cpuMsMax, () => evaluate(code))
    if (!('patches' in cached)) return cached
    cache.keep(code, cached)
    return makeLoaded(cached)
  }
  return { load }
}

function startDeadline() {
  let at = Number.POSITIVE_INFINITY
  return {
    isOverdue: () => cpuMs() > at,
    set: (inMs: number) => {
      at = cpuMs() + inMs
    },
    clear: () => {
      at = Number.POSITIVE_INFINITY
    },
  }
}

/**
 * The module's memory begins with constant tables. Between two calls of one script they need not be restored. We keep a
 * distance of 16 KiB from the first byte that the start changed.
 */
function countConstants(memoryBefore: Uint8Array, started: Uint8Array): number {
  const firstChange = memoryBefore.findIndex((byte, at) => byte !== started[at])
  return Math.max(0, firstChange - 16 * 1024)
}

/** Turns an error that WebAssembly threw into a failure. */
function failureOf(error: unknown): CallFailure {
  if (error instanceof RangeError) return /call stack/.test(error.message) ? tooDeep : outOfMemory
  return { kind: 'crash', message: `the engine stopped: ${error instanceof Error ? error.message : 'unknown'}` }
}

/** `script` is the script's function: a pointer into the memory that the patches restore. */
export type CachedScript = { patches: Patches; script: number }

/** Keeps the most recently used scripts, up to `bytesMax` of memory. */
export function makeScriptCache(bytesMax: number) {
  const scripts = new Map<string, CachedScript>()
  let bytes = 0

  const drop = (code: string): void => {
    const dropped = scripts.get(code)
    if (!dropped) return
    scripts.delete(code)
    bytes -= bytesOf(code, dropped)
  }

  return {
    get: (code: string): CachedScript | undefined => scripts.get(code),
    keep: (code: string, script: CachedScript): void => {
      drop(code)
      scripts.set(code, script)
      bytes += bytesOf(code, script)
      for (const oldest of scripts.keys()) {
        if (bytes <= bytesMax || oldest === code) return
        drop(oldest)
      }
    },
  }
}

/** The objects around the bytes of one script. */
const objectBytes = 1024

function bytesOf(code: string, { patches }: CachedScript): number {
  return code.length + patches.bytes.length + patches.runs.byteLength + patches.tail.length + objectBytes
}
