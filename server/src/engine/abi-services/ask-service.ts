import type { GetJson } from './get-json.ts'
import type { VerifiedContract } from './verified-contract.ts'

export type AbiServiceName = 'sourcify' | 'etherscan' | 'blockscout'
export type AbiServicesConfig = Readonly<{
  /** The services, in the order in which they are asked. */
  order: readonly AbiServiceName[]
  sourcifyUrl: string
  etherscan: Readonly<{ url: string; apiKey?: string | undefined }>
  /** The Blockscout of each chain id. */
  blockscoutUrls: Readonly<Record<string, string>>
}>

/** Returns undefined if the service does not know the contract; throws `Failed` or an UpstreamError if it cannot say. */
export type AskService = (get: GetJson, chainId: string, address: string) => Promise<VerifiedContract | undefined>
