import type { TriggerSpec } from '@tocsin/contract'
import type { Matcher } from '../../block.ts'
import { issuesOfNames, requireCalls, type SubstrateCall } from '../contents.ts'
import { foldCall, foldName } from '../names.ts'

export type SubstrateCallSpec = Extract<TriggerSpec, { type: 'substrate_call' }>

/** Matches by pallet, call, nesting and result. A name that the spec omits matches every call. */
export function callMatcher(spec: SubstrateCallSpec): Matcher {
  const { nested, success } = chosen(spec)
  const pallet = spec.pallet && foldName(spec.pallet)
  const name = spec.call && foldCall(spec.call)
  const isMatch = (call: SubstrateCall) =>
    (pallet === undefined || foldName(call.pallet) === pallet) &&
    (name === undefined || foldCall(call.call) === name) &&
    (nested || !isNested(call)) &&
    (success === undefined || call.success === success)
  return {
    neededParts: ['transactions'],
    issuesIn: (block) => issuesOfNames(block, { pallet: spec.pallet, call: spec.call }),
    match: (block) => requireCalls(block).filter(isMatch),
  }
}

/** The choices with their defaults. `success` is undefined for calls with any result. */
export function chosen({ nested = true, success = true }: SubstrateCallSpec): { nested: boolean; success?: boolean } {
  return { nested, ...(success !== 'any' && { success }) }
}

export function isNested({ path }: SubstrateCall): boolean {
  return path !== '0'
}
