import type { TriggerSpec } from '@tocsin/contract'
import { requireContents } from '../../../server/src/engine/sources/substrate/contents.ts'
import { foldCall, foldName } from '../../../server/src/engine/sources/substrate/names.ts'
import type { LinearMatch } from './index.ts'

type SubstrateEventSpec = Extract<TriggerSpec, { type: 'substrate_event' }>
type SubstrateCallSpec = Extract<TriggerSpec, { type: 'substrate_call' }>

export function linearSubstrateEvents({ pallet, event }: SubstrateEventSpec): LinearMatch {
  const isWanted = (wanted: string | undefined, name: string) =>
    wanted === undefined || foldName(wanted) === foldName(name)
  return (block) =>
    requireContents(block).events.filter((each) => isWanted(pallet, each.pallet) && isWanted(event, each.event))
}

export function linearSubstrateCalls(spec: SubstrateCallSpec): LinearMatch {
  const { pallet, call, nested = true, success = true } = spec
  return (block) => {
    const { calls } = requireContents(block)
    if (!calls) throw new Error('the block was read without its extrinsics')
    return calls.filter(
      (each) =>
        (pallet === undefined || foldName(each.pallet) === foldName(pallet)) &&
        (call === undefined || foldCall(each.call) === foldCall(call)) &&
        (nested || each.path === '0') &&
        (success === 'any' || each.success === success),
    )
  }
}
