import { contractsOf } from '../contracts.ts'
import type { EvmCallKeys } from '../match-keys.ts'
import type { CallDecoder } from './call-decoder.ts'
import type { EvmCallSpec } from './spec-functions.ts'

/** The keys under which the trigger index stores a spec. A call has the keys of at most one of them, so it is found once. */
export function callKeys(spec: EvmCallSpec, { functions }: CallDecoder): EvmCallKeys[] {
  const { success = true, internal = false } = spec
  const common = { type: 'evm_call' as const, addresses: contractsOf(spec), success, internal }
  if (!functions) return [{ ...common, inputs: [] }]
  return [...functions].map(([selector, { inputs }]) => ({ ...common, selector, inputs }))
}
