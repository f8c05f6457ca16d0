import { isObject } from '../../../base/is-object.ts'
import type { SubstrateEvent } from '../contents.ts'
import type { Call } from './call.ts'

/** The result of a call. A call that did not run has failed with the error `NotExecuted`. */
export type Outcome = { success: true } | { success: false; error: unknown }

/** The latest event of the wrapper's pallet with one of these names, before the events that were found already. */
export type FindEvent = (...names: string[]) => SubstrateEvent | undefined

/**
 * How the calls inside a successful wrapper ended. The result is asked for each inner call once, from the last to the
 * first, because the events of a wrapper are read backwards.
 */
type Rule = (count: number, find: FindEvent) => (position: number) => Outcome

/** A call that runs other calls. `fields` are the arguments that hold them. */
export type Wrapper = { fields: readonly string[]; outcomes: Rule }

export const succeeded: Outcome = { success: true }
const notExecuted: Outcome = { success: false, error: 'NotExecuted' }

export function failedBy(error: unknown): Outcome {
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

export function wrapperOf({ pallet, call }: Call): Wrapper | undefined {
  return wrappers.get(`${pallet.toLowerCase()}.${call}`)
}
