import type { SourceItem } from '../../../base/source-item.ts'
import type { BlockPart, ChainBlock, Matcher } from '../../block.ts'
import { type EvmCall, requireCalls } from '../contents.ts'
import { contractsOf } from '../contracts.ts'
import type { EvmCallKeys } from '../match-keys.ts'
import { type CallDecoder, callDecoder } from './call-decoder.ts'
import { callsIn } from './call-items.ts'
import type { EvmCallSpec } from './spec-functions.ts'

/** A matcher of calls, with the keys that let the trigger index call it for few calls only. */
export type CallMatcher = Matcher & {
  neededParts: readonly BlockPart[]
  /** One index entry for each. A call is found by at most one of them. */
  keys: readonly EvmCallKeys[]
  /** Decodes a call that has the keys. Specs with the same functions share it. */
  decoder: CallDecoder
  /** Undefined when the call does not match. */
  matchCall(block: ChainBlock, timestamp: number, call: EvmCall): SourceItem | undefined
}

export async function callMatcher(spec: EvmCallSpec): Promise<CallMatcher> {
  const decoder = await callDecoder(spec)
  const contracts = contractsOf(spec)
  const named = contracts && new Set(contracts)
  const { success = true, internal = false } = spec
  const matchCall = (block: ChainBlock, timestamp: number, call: EvmCall) => {
    if (internal === false && call.depth > 0) return undefined
    if (success !== 'any' && call.success !== success) return undefined
    if (named && !named.has(call.to ?? '')) return undefined
    return decoder.itemOf(block, timestamp, call)
  }
  return {
    keys: callKeys(spec, decoder),
    decoder,
    neededParts: ['transactions', ...tracesFor(internal)],
    matchCall,
    match(block) {
      const contents = requireCalls(block, internal === true)
      const items = callsIn(contents).map((call) => matchCall(block, contents.timestamp, call))
      return items.filter((item) => item !== undefined)
    },
  }
}

function tracesFor(internal: EvmCallKeys['internal']): BlockPart[] {
  if (internal === 'auto') return ['any_traces']
  return internal ? ['traces'] : []
}

function callKeys(spec: EvmCallSpec, { functions }: CallDecoder): EvmCallKeys[] {
  const { success = true, internal = false } = spec
  const common = { type: 'evm_call' as const, addresses: contractsOf(spec), success, internal }
  if (!functions) return [{ ...common, inputs: [] }]
  return [...functions].map(([selector, { inputs }]) => ({ ...common, selector, inputs }))
}
