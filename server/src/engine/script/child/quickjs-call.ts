import {
  type CallFailure,
  type CallResult,
  type CallValue,
  type GuestAnswer,
  outOfMemory,
  readGuestAnswer,
  timeout,
} from './engine.ts'
import type { Machine } from './quickjs-machine.ts'

/** Pointers to our own functions in the guest's memory: see guest.ts. */
export type GuestFunctions = { run: number; finish: number; logs: number; describe: number }
export type Deadline = { isOverdue(): boolean; set(cpuMs: number): void }

/** The CPU limit of our own code in the guest. It is quick, but it handles strings that the tenant chose. */
const ownCpuMs = 10

/** Calls a loaded script, runs its promises, and reads its logs. */
export function callScript(
  machine: Machine,
  functions: GuestFunctions,
  values: { script: number; context: Uint8Array; nowMs: number },
  deadline: Deadline,
): CallResult {
  const read = (answer: number) => readAnswer(machine, functions, answer, deadline)
  const context = machine.newString(values.context)
  let answer = read(machine.call(functions.run, values.script, context, machine.guest.qjs_new_number(values.nowMs)))
  if (answer.outcome === 'pending') {
    const failed = runJobs(machine, deadline)
    answer = failed ? { outcome: failed, hasLogs: true } : read(machine.call(functions.finish))
  }
  const outcome: CallValue | CallFailure = answer.outcome === 'pending' ? timeout : answer.outcome
  if (!answer.hasLogs) return outcome
  deadline.set(ownCpuMs)
  return { ...outcome, logs: machine.readText(machine.call(functions.logs)) }
}

/** Runs pending jobs until none is left. Every promise that can settle has then settled. */
function runJobs(machine: Machine, deadline: Deadline): CallFailure | undefined {
  while (machine.guest.qjs_is_job_pending() !== 0) {
    const isBroken = machine.guest.qjs_execute_pending_job() < 0
    if (deadline.isOverdue()) return timeout
    if (isBroken) return outOfMemory
  }
  return undefined
}

function readAnswer(machine: Machine, functions: GuestFunctions, answer: number, deadline: Deadline): GuestAnswer {
  if (machine.guest.qjs_is_exception(answer) !== 0)
    return { outcome: deadline.isOverdue() ? timeout : readException(machine, functions, deadline), hasLogs: true }
  const text = machine.readText(answer)
  return text ? readGuestAnswer(text) : { outcome: outOfMemory, hasLogs: true }
}

/** Reads an error that our guest code did not catch: the memory was used up, or the script does not compile. */
export function readException(machine: Machine, functions: GuestFunctions, deadline: Deadline): CallFailure {
  deadline.set(ownCpuMs)
  const answer = machine.call(functions.describe, machine.guest.qjs_get_exception())
  const text = machine.guest.qjs_is_exception(answer) === 0 ? machine.readText(answer) : undefined
  const outcome = text && readGuestAnswer(text).outcome
  return outcome && outcome !== 'pending' && outcome.kind !== 'value' ? outcome : outOfMemory
}
