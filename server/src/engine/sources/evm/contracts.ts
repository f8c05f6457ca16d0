import type { TriggerSpec } from '@tocsin/contract'

type WithContract = Extract<TriggerSpec, { type: 'evm_log' | 'evm_call' }>

/** The contracts that a spec names, in lower case and each once; undefined means every contract. */
export function contractsOf({ contract }: Pick<WithContract, 'contract'>): readonly string[] | undefined {
  if (contract === undefined) return undefined
  const written = typeof contract === 'string' ? [contract] : contract
  return [...new Set(written.map((address) => address.toLowerCase()))]
}

/** The addresses as the author wrote them, each with its path in the definition. */
export function writtenContracts({ contract }: Pick<WithContract, 'contract'>, path: string): [string, string][] {
  if (contract === undefined) return []
  if (typeof contract === 'string') return [[contract, `${path}.contract`]]
  return contract.map((address, index) => [address, `${path}.contract.${index}`])
}
