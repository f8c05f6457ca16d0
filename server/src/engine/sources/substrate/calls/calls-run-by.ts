/**
 * The calls that one extrinsic runs, and how each of them ended: its own call and the calls inside batch, proxy, multisig and
 * sudo calls.
 *
 * The last event of an extrinsic says if it succeeded. The result of an inner call is in the events of its wrapper, which
 * follow the events of the inner call. So the events of an extrinsic are read backwards, and the inner calls from the last
 * to the first: the next event that a wrapper looks for is then its own.
 */
import type { SubstrateEvent } from '../contents.ts'
import { type Call, readCall } from './call.ts'
import { type FindEvent, failedBy, type Outcome, succeeded, wrapperOf } from './wrappers.ts'

/** `path` is `0` for the extrinsic's own call, `0.2` for the third call inside it. */
export type RunCall = { call: Call; path: string; outcome: Outcome }

/** The extrinsic's own call first, then the calls inside it, in the order of execution. `events` are the extrinsic's. */
export function callsRunBy(call: Call, events: readonly SubstrateEvent[]): RunCall[] {
  return walk(call, '0', outcomeOf(events), backwards(events))
}

/** Each extrinsic has one such event, its last. */
export function isResult({ pallet, event }: SubstrateEvent): boolean {
  return pallet === 'System' && (event === 'ExtrinsicSuccess' || event === 'ExtrinsicFailed')
}

function outcomeOf(events: readonly SubstrateEvent[]): Outcome {
  const result = events.findLast(isResult)
  if (!result) throw new RangeError('an extrinsic has no result')
  return result.event === 'ExtrinsicSuccess' ? succeeded : failedBy(result.args[0])
}

/**
 * Finds events from the last to the first. A search that fails leaves the position where it was, and fails again from every
 * earlier position: it is not repeated, so that all searches together pass each event once per name.
 */
function backwards(events: readonly SubstrateEvent[]): (pallet: string) => FindEvent {
  const absent = new Set<string>()
  let before = events.length
  const find = (pallet: string, names: readonly string[]) => {
    for (let at = before - 1; at >= 0; at -= 1) {
      const event = events[at]
      if (event?.pallet !== pallet || !names.includes(event.event)) continue
      before = at
      return event
    }
    return undefined
  }
  return (pallet) =>
    (...names) => {
      const search = `${pallet} ${names.join()}`
      const event = absent.has(search) ? undefined : find(pallet, names)
      if (!event) absent.add(search)
      return event
    }
}

/** Runtimes refuse extrinsics with more levels. */
const levelsMax = 256

function walk(
  call: Call,
  path: string,
  outcome: Outcome,
  eventsOf: (pallet: string) => FindEvent,
  level = 0,
): RunCall[] {
  if (level > levelsMax) throw new RangeError(`calls are nested in more than ${levelsMax} levels`)
  const wrapper = wrapperOf(call)
  const inner = wrapper ? wrapper.fields.flatMap((field) => innerCalls(call.params[field])) : []
  const resultOf = outcome.success ? wrapper?.outcomes(inner.length, eventsOf(call.pallet)) : undefined
  const found: RunCall[][] = []
  // A call inside a failed call is taken back with it.
  for (const [position, each] of [...inner.entries()].reverse())
    found.push(walk(each, `${path}.${position}`, resultOf?.(position) ?? outcome, eventsOf, level + 1))
  return [{ call, path, outcome }, ...found.reverse().flat()]
}

/** One call, a list of calls, or a call after its length in bytes, as older multisig pallets write it. */
function innerCalls(value: unknown): Call[] {
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap((each) => readCall(each) ?? [])
}
