import * as z from 'zod'
import { AbiFragment } from '../chains/evm.ts'
import { BytesEncoding, Idl } from '../chains/solana.ts'
import { FieldSchema } from './schemas.ts'
import { ScriptSource } from './scripts.ts'

const common = {
  id: z.string().min(1),
  weight: z.number().min(0).max(1000).optional(),
  timeoutMs: z.number().int().min(1).max(10_000).optional(),
  outputSchema: FieldSchema.optional(),
  /** True if a failure gives null and does not fail the run. */
  optional: z.boolean().optional(),
  /** JavaScript over source, inputs and earlier providers. A falsy value skips the provider; its result is then null. */
  runIf: ScriptSource.optional(),
  /** Runs of the trigger share a result for this time. `key` is a template; without it the rendered request is the key. */
  cache: z
    .object({ ttlMs: z.number().int().min(1).max(3_600_000), key: z.string().min(1).max(1024).optional() })
    .optional(),
}

/**
 * Repeats a request whose answer is not there yet. The run waits in the store between two attempts. `attempts` counts the
 * first one too. `until` names a value of the result that must be present, or equal to `equals`.
 */
export const Retry = z
  .object({
    attempts: z.number().int().min(1).max(20),
    delayMs: z.number().int().min(250).max(60_000),
    backoff: z.enum(['fixed', 'linear', 'exponential']),
    maxDelayMs: z.number().int().min(250).max(3_600_000).optional(),
    maxElapsedMs: z.number().int().min(250).max(86_400_000).optional(),
    retryOn: z
      .array(z.enum(['empty_array', 'missing_path', 'http_error']))
      .max(3)
      .optional(),
    until: z.object({ path: z.string().min(1).max(256), equals: z.unknown().optional() }).optional(),
    exhausted: z.enum(['continue', 'fail']).optional(),
  })
  .refine(({ retryOn = [], until }) => until !== undefined || retryOn.length > 0, {
    path: ['retryOn'],
    error: 'must name at least one reason if there is no until',
  })
export type Retry = z.output<typeof Retry>

const retry = Retry.optional()
const url = z.string().min(1)
const source = z.string().min(1).optional()
const headers = z.record(z.string(), z.string()).optional()
const variables = z.record(z.string(), z.unknown()).optional()
const anyJson = z.unknown().optional()
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a string, a number, a boolean or null',
})

export const HttpProvider = z.object({
  ...common,
  type: z.literal('http'),
  retry,
  url,
  method: z.enum(['GET', 'POST', 'PUT']).optional(),
  headers,
  queryParams: z.record(z.string(), scalar).optional(),
  body: anyJson,
})

export const GraphqlProvider = z.object({
  ...common,
  type: z.literal('graphql'),
  retry,
  url,
  query: z.string().min(1),
  headers,
  variables,
})

const rpcParams = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())], { error: 'must be a list or an object' })
  .optional()

export const RpcEndpointProvider = z.object({
  ...common,
  type: z.literal('rpc'),
  retry,
  // `optional` before `default` lets the union below match a payload without a transport.
  transport: z.literal('endpoint').optional().default('endpoint'),
  url,
  method: z.string().min(1),
  headers,
  params: rpcParams,
  body: anyJson,
})

export const RpcSourceProvider = z.object({
  ...common,
  type: z.literal('rpc'),
  retry,
  transport: z.literal('source'),
  method: z.string().min(1),
  params: rpcParams,
})

export const SubstrateStorageProvider = z.object({
  ...common,
  type: z.literal('substrate_storage'),
  module: z.string().min(1),
  entry: z.string().min(1),
  source,
  args: z.array(z.unknown()).optional(),
  block: z
    .union([z.string().min(1), z.number().int().min(0)], { error: 'must be a block number, a hash or a placeholder' })
    .optional(),
})

export const EvmReadProvider = z.object({
  ...common,
  type: z.literal('evm_read'),
  contract: z.string().min(1),
  method: z.string().min(1).max(1024),
  abiFragment: AbiFragment,
  source,
  abiContract: z.string().optional(),
  args: z.array(z.unknown()).optional(),
})

export const Pda = z.object({
  programId: z.string().min(1).optional(),
  seeds: z.array(z.object({ type: z.string(), value: z.unknown() })).max(16),
})

export const SolanaAccountProvider = z.object({
  ...common,
  type: z.literal('solana_account'),
  account: z.string(),
  source,
  idl: Idl.optional(),
  programId: z.string().min(1).optional(),
  accountName: z.string().min(1).optional(),
  bytesEncoding: BytesEncoding.optional(),
  pda: Pda.optional(),
})

/** `contract` is the address of an ERC-20 or ERC-721 contract, a Solana mint, or the id of an asset of the assets pallet. */
export const TokenMetadataProvider = z.object({
  ...common,
  type: z.literal('token_metadata'),
  contract: z.string().min(1),
  source,
})

/** `feed` is the address of an aggregator with Chainlink's `latestRoundData` and `decimals`. */
export const PriceProvider = z.object({
  ...common,
  type: z.literal('price'),
  feed: z.string().min(1),
  source,
  maxAgeMs: z.number().int().min(1).max(31_536_000_000).optional(),
})

export const StateWindowProvider = z.object({
  ...common,
  type: z.literal('state_window'),
  dedupeBy: z.string().min(1),
  value: z.unknown(),
  keepLast: z.number().int().min(1).max(1000),
  partitionBy: z.string().optional(),
  valueType: z.enum(['number', 'string', 'boolean', 'object', 'array', 'unknown']).optional(),
  aggregate: z
    .array(z.enum(['values', 'avg', 'min', 'max', 'sum']))
    .max(5)
    .optional(),
})

export const JavascriptProvider = z.object({
  ...common,
  type: z.literal('javascript'),
  source: ScriptSource,
  variables,
})

/** How a trigger fetches or keeps values that the source item does not hold. */
export const Provider = z.discriminatedUnion('type', [
  HttpProvider,
  GraphqlProvider,
  z.discriminatedUnion('transport', [RpcEndpointProvider, RpcSourceProvider], { error: 'must be endpoint or source' }),
  SubstrateStorageProvider,
  EvmReadProvider,
  SolanaAccountProvider,
  TokenMetadataProvider,
  PriceProvider,
  StateWindowProvider,
  JavascriptProvider,
])
export type Provider = z.output<typeof Provider>
