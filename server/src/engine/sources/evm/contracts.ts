import type { EvmFactory, TriggerSpec } from '@tocsin/contract'

export type WithContract = Pick<Extract<TriggerSpec, { type: 'evm_log' | 'evm_call' }>, 'contract'>

/** The contracts that a spec names, in lower case and each once; undefined means every contract, or those of a factory. */
export function contractsOf(spec: WithContract): readonly string[] | undefined {
  const written = listOf(spec)
  return written && [...new Set(written.map((address) => address.toLowerCase()))]
}

/** The factory whose contracts a spec means. */
export function factoryOf({ contract }: WithContract): EvmFactory | undefined {
  return typeof contract === 'object' && !Array.isArray(contract) ? contract.factory : undefined
}

/** The addresses as the author wrote them, each with its path in the definition. */
export function writtenContracts(spec: WithContract, path: string): [string, string][] {
  const { contract } = spec
  const factory = factoryOf(spec)
  if (factory) return [[factory.contract, `${path}.contract.factory.contract`]]
  if (typeof contract === 'string') return [[contract, `${path}.contract`]]
  return listOf(spec)?.map((address, index) => [address, `${path}.contract.${index}`]) ?? []
}

function listOf({ contract }: WithContract): readonly string[] | undefined {
  if (typeof contract === 'string') return [contract]
  return Array.isArray(contract) ? contract : undefined
}
