/**
 * The calls that one extrinsic runs, and how each of them ended: its own call and the calls inside batch, proxy, multisig and
 * sudo calls.
 *
 * The last event of an extrinsic says if it succeeded. The result of an inner call is in the events of its wrapper, which
 * follow the events of the inner call. So the events of an extrinsic are read backwards, and the inner calls from the last
 * to the first: the next event that a wrapper looks for is then its own.
 */

import { isObject } from '../../../base/json.ts'
import type { SubstrateEvent } from '../contents.ts'
import { type Call, readCall } from './call.ts'

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

/** The result of a call. A call that did not run has failed with the error `NotExecuted`. */
type Outcome = { success: true } | { success: false; error: unknown }

/** The latest event of the wrapper's pallet with one of these names, before the events that were found already. */
type FindEvent = (...names: string[]) => SubstrateEvent | undefined

/**
 * How the calls inside a successful wrapper ended. The result is asked for each inner call once, from the last to the
 * first, because the events of a wrapper are read backwards.
 */
type Rule = (count: number, find: FindEvent) => (position: number) => Outcome

/** A call that runs other calls. `fields` are the arguments that hold them. */
type Wrapper = { fields: readonly string[]; outcomes: Rule }

const succeeded: Outcome = { success: true }
const notExecuted: Outcome = { success: false, error: 'NotExecuted' }

function failedBy(error: unknown): Outcome {
  return { success: false, error }
}

/** The wrapper fails with its inner call, so the inner call of a successful wrapper succeeded. */
const likeWrapper: Rule = () => () => succeeded

/** The wrapper succeeds in any case. The last value of its last event is the result of the inner call. */
function byResult(...names: string[]): Rule {
  return (_, find) => {
    const outcome = readResult(find(...names)?.args.at(-1))
    return () => outcome
  }
}

/** `{type: 'Ok'}` or `{type: 'Err', value: error}`. Some results have the weight beside the error. */
function readResult(result: unknown): Outcome {
  if (!isObject(result) || (result.type !== 'Ok' && result.type !== 'Err')) return notExecuted
  if (result.type === 'Ok') return succeeded
  const { value } = result
  return failedBy(isObject(value) && 'post_info' in value ? value.error : value)
}

/** Stops at the first call that fails, and keeps the calls before it. */
const untilFailure: Rule = (count, find) => {
  const end = find('BatchCompleted', 'BatchInterrupted')
  const [stoppedAt, error] = end?.event === 'BatchInterrupted' ? end.args : [end ? count : -1]
  return (position) => {
    if (position === stoppedAt) return failedBy(error)
    if (position > Number(stoppedAt)) return notExecuted
    find('ItemCompleted')
    return succeeded
  }
}

const allOrNone: Rule = (_, find) => {
  find('BatchCompleted')
  return () => {
    find('ItemCompleted')
    return succeeded
  }
}

const eachByItself: Rule = (_, find) => {
  find('BatchCompleted', 'BatchCompletedWithErrors')
  return () => {
    const item = find('ItemCompleted', 'ItemFailed')
    if (!item) return notExecuted
    return item.event === 'ItemFailed' ? failedBy(item.args[0]) : succeeded
  }
}

/** The second call runs if the first one fails. */
const fallback: Rule = (_, find) => {
  const end = find('IfElseMainSuccess', 'IfElseFallbackCalled')
  const isMain = end?.event === 'IfElseMainSuccess'
  const outcomes = isMain ? [succeeded, notExecuted] : end ? [failedBy(end.args[0]), succeeded] : []
  return (position) => outcomes[position] ?? notExecuted
}

const one = ['call']
const many = ['calls']

/** By pallet and call. Calls that only store a call for later, such as `scheduler.schedule`, are not wrappers. */
const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['utility.batch', { fields: many, outcomes: untilFailure }],
  ['utility.batch_all', { fields: many, outcomes: allOrNone }],
  ['utility.force_batch', { fields: many, outcomes: eachByItself }],
  ['utility.as_derivative', { fields: one, outcomes: likeWrapper }],
  ['utility.with_weight', { fields: one, outcomes: likeWrapper }],
  ['utility.dispatch_as', { fields: one, outcomes: byResult('DispatchedAs') }],
  ['utility.dispatch_as_fallible', { fields: one, outcomes: likeWrapper }],
  ['utility.if_else', { fields: ['main', 'fallback'], outcomes: fallback }],
  ['proxy.proxy', { fields: one, outcomes: byResult('ProxyExecuted') }],
  ['proxy.proxy_announced', { fields: one, outcomes: byResult('ProxyExecuted') }],
  // The call runs with the last approval. Each approval has one of these events, and only the first holds a result.
  ['multisig.as_multi', { fields: one, outcomes: byResult('MultisigExecuted', 'MultisigApproval', 'NewMultisig') }],
  ['multisig.as_multi_threshold_1', { fields: one, outcomes: likeWrapper }],
  ['sudo.sudo', { fields: one, outcomes: byResult('Sudid') }],
  ['sudo.sudo_unchecked_weight', { fields: one, outcomes: byResult('Sudid') }],
  ['sudo.sudo_as', { fields: one, outcomes: byResult('SudoAsDone') }],
  ['recovery.as_recovered', { fields: one, outcomes: likeWrapper }],
  [
    'whitelist.dispatch_whitelisted_call_with_preimage',
    { fields: one, outcomes: byResult('WhitelistedCallDispatched') },
  ],
])

function wrapperOf({ pallet, call }: Call): Wrapper | undefined {
  return wrappers.get(`${pallet.toLowerCase()}.${call}`)
}
