import type { Called, Failed, Valued } from './engine.ts'
import type { Machine } from './quickjs-machine.ts'
import { outOfMemory, readTold, type Told, timeout } from './told.ts'

/** Where our own functions are in the guest's memory: see guest.ts. */
export type GuestFunctions = { run: number; finish: number; logs: number; describe: number }
export type Deadline = { isOverdue(): boolean; set(cpuMs: number): void }

/** Our own code, over strings that the tenant chose: quick, but not without end. */
const ownCpuMs = 10

/** One call of a loaded script, its promises included, and what it logged. */
export function callScript(
  machine: Machine,
  functions: GuestFunctions,
  values: { script: number; context: Uint8Array; nowMs: number },
  deadline: Deadline,
): Called {
  const listen = (told: number) => listenTo(machine, functions, told, deadline)
  const context = machine.string(values.context)
  let told = listen(machine.call(functions.run, values.script, context, machine.guest.qjs_new_number(values.nowMs)))
  if (told.outcome === 'pending') {
    const failed = runJobs(machine, deadline)
    told = failed ? { outcome: failed, hasLogs: true } : listen(machine.call(functions.finish))
  }
  const outcome: Valued | Failed = told.outcome === 'pending' ? timeout : told.outcome
  if (!told.hasLogs) return outcome
  deadline.set(ownCpuMs)
  return { ...outcome, logs: machine.text(machine.call(functions.logs)) }
}

/** Every promise that can settle has settled when no job is left. */
function runJobs(machine: Machine, deadline: Deadline): Failed | undefined {
  while (machine.guest.qjs_is_job_pending() !== 0) {
    const isBroken = machine.guest.qjs_execute_pending_job() < 0
    if (deadline.isOverdue()) return timeout
    if (isBroken) return outOfMemory
  }
  return undefined
}

function listenTo(machine: Machine, functions: GuestFunctions, told: number, deadline: Deadline): Told {
  if (machine.guest.qjs_is_exception(told) !== 0)
    return { outcome: deadline.isOverdue() ? timeout : readException(machine, functions, deadline), hasLogs: true }
  const text = machine.text(told)
  return text ? readTold(text) : { outcome: outOfMemory, hasLogs: true }
}

/** An error that our own code did not catch: there was no room left to do so, or the code does not compile. */
export function readException(machine: Machine, functions: GuestFunctions, deadline: Deadline): Failed {
  deadline.set(ownCpuMs)
  const told = machine.call(functions.describe, machine.guest.qjs_get_exception())
  const text = machine.guest.qjs_is_exception(told) === 0 ? machine.text(told) : undefined
  const outcome = text && readTold(text).outcome
  return outcome && outcome !== 'pending' && outcome.kind !== 'value' ? outcome : outOfMemory
}
