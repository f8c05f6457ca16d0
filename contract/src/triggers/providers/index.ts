/** The providers: how a trigger fetches or keeps values that the item does not hold. A new one is a file beside this one and a line in the list. */
import * as z from 'zod'
import { blockAt } from './block-at.ts'
import { evmRead } from './evm-read.ts'
import { graphql } from './graphql.ts'
import { http } from './http.ts'
import { javascript } from './javascript.ts'
import { otherChainLog } from './other-chain-log.ts'
import { price } from './price.ts'
import type { ProviderRecord } from './record.ts'
import { rpc } from './rpc.ts'
import { solanaAccount } from './solana-account.ts'
import { stateWindow } from './state-window.ts'
import { substrateStorage } from './substrate-storage.ts'
import { tokenMetadata } from './token-metadata.ts'

export { BlockAtProvider } from './block-at.ts'
export { EvmReadProvider } from './evm-read.ts'
export { GraphqlProvider } from './graphql.ts'
export { HttpProvider } from './http.ts'
export { JavascriptProvider } from './javascript.ts'
export { OtherChainLogProvider } from './other-chain-log.ts'
export { PriceProvider } from './price.ts'
export { type ProviderField, type ProviderForm, type ProviderRecord, Retry } from './record.ts'
export { RpcEndpointProvider, RpcSourceProvider } from './rpc.ts'
export { Pda, SolanaAccountProvider } from './solana-account.ts'
export { StateWindowProvider } from './state-window.ts'
export { SubstrateStorageProvider } from './substrate-storage.ts'
export { TokenMetadataProvider } from './token-metadata.ts'

/** In the order in which the builder offers them. */
const others = [
  graphql,
  rpc,
  evmRead,
  substrateStorage,
  solanaAccount,
  tokenMetadata,
  price,
  blockAt,
  otherChainLog,
  stateWindow,
  javascript,
] as const

export const providers = [http, ...others] as const

/** Undefined for a type that no provider has. */
export function providerOfType(type: unknown): ProviderRecord | undefined {
  return providers.find((record) => record.type === type)
}

export const Provider = z.discriminatedUnion('type', [http.schema, ...others.map(({ schema }) => schema)])
export type Provider = z.output<typeof Provider>
