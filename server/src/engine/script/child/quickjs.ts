import { limits } from '../limits.ts'
import { scriptFile } from '../protocol.ts'
import { cpuMs } from './cpu-clock.ts'
import type { Called, Engine, Failed, Loaded } from './engine.ts'
import { callScript, readException } from './quickjs-call.ts'
import { compileGuest, evaluateCode, installGuest } from './quickjs-guest.ts'
import { type Image, openMachine, startGuest } from './quickjs-machine.ts'
import { outOfMemory, timeout, tooDeep } from './told.ts'

type Ready = { image: Image; script: number }

/**
 * QuickJS as WebAssembly. One instance serves all scripts of the child, one after the other: a script is an image of
 * the memory, put back before every call, and the memory is wiped between two scripts. That is as fresh as an instance
 * of its own, and loading costs a tenth of one.
 */
export function startQuickjs(wasm: WebAssembly.Module, collectGarbage: () => void): Engine {
  const deadline = startDeadline()
  const around = { nowMs: 0, isOverdue: deadline.isOverdue }
  const ready = new Map<string, Ready>()
  const bytecode = compileGuest(openMachine(wasm, around))
  let machine = openMachine(wasm, around)
  const untouched = new Uint8Array(machine.bytes().subarray(machine.stackTop))
  startGuest(machine)
  const functions = installGuest(machine, bytecode)
  const base = machine.take()
  const constantBytes = countConstants(untouched, base.heap)
  let inMemory: Image | undefined

  /** The state as the image has it, in a memory of its size. */
  const reset = (image: Image) => {
    if (machine.size() > image.size) replaceMachine()
    else if (image !== inMemory) machine.wipe()
    if (machine.size() < image.size) machine.resize(image.size)
    machine.put(image, image === inMemory ? constantBytes : 0)
    inMemory = image
  }

  const replaceMachine = () => {
    machine = openMachine(wasm, around)
    inMemory = undefined
    collectGarbage()
  }

  /** A step of the guest under its deadline; a machine that the step broke is replaced. */
  const guarded = <T>(cpuMsMax: number, step: () => T): T | Failed => {
    deadline.set(cpuMsMax)
    try {
      return step()
    } catch (error) {
      replaceMachine()
      return whyBroken(error)
    } finally {
      deadline.clear()
    }
  }

  const evaluate = (code: string): Ready | Failed => {
    reset(base)
    const script = evaluateCode(machine, code, scriptFile)
    if (machine.guest.qjs_is_exception(script) === 0) return { image: machine.take(), script }
    if (deadline.isOverdue()) return timeout
    const failed = readException(machine, functions, deadline)
    return failed.kind === 'throw' ? { ...failed, kind: 'syntax' } : failed
  }

  const loaded = ({ image, script }: Ready): Loaded => ({
    kind: 'loaded',
    call: (context, nowMs, cpuMsMax) => {
      around.nowMs = nowMs
      return guarded<Called>(cpuMsMax, () => {
        reset(image)
        return callScript(machine, functions, { script, context, nowMs }, deadline)
      })
    },
  })

  const load = (code: string, cpuMsMax: number): Loaded | Failed => {
    const made = ready.get(code) ?? guarded(cpuMsMax, () => evaluate(code))
    if (!('image' in made)) return made
    ready.delete(code)
    ready.set(code, made)
    const [oldest] = ready.keys()
    if (oldest !== undefined && ready.size > limits.readyScripts) ready.delete(oldest)
    return loaded(made)
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
 * The module's tables come first in its memory, what it writes to comes after them. Between two calls of one script the
 * tables need not be put back; we stay well away from the first byte that starting changed.
 */
function countConstants(untouched: Uint8Array, started: Uint8Array): number {
  const firstChange = untouched.findIndex((byte, at) => byte !== started[at])
  return Math.max(0, firstChange - 16 * 1024)
}

/** What the host throws when it can go no further in the guest's code. */
function whyBroken(error: unknown): Failed {
  if (error instanceof RangeError) return /call stack/.test(error.message) ? tooDeep : outOfMemory
  return { kind: 'crash', message: `the engine stopped: ${error instanceof Error ? error.message : 'unknown'}` }
}
