import * as z from 'zod'
import {
  bodyField,
  common,
  Headers,
  headersField,
  type ProviderField,
  type ProviderRecord,
  RenderedText,
  Retry,
  urlField,
} from './record.ts'

const rpcParams = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())], { error: 'must be a list or an object' })
  .optional()

export const RpcEndpointProvider = z.object({
  ...common,
  type: z.literal('rpc'),
  retry: Retry.optional(),
  // `optional` before `default` lets the union below match a payload without a transport.
  transport: z.literal('endpoint').optional().default('endpoint'),
  url: RenderedText,
  method: z.string().min(1),
  headers: Headers,
  params: rpcParams,
  body: z.unknown().optional(),
})

export const RpcSourceProvider = z.object({
  ...common,
  type: z.literal('rpc'),
  retry: Retry.optional(),
  transport: z.literal('source'),
  method: z.string().min(1),
  params: rpcParams,
})

const methodField = {
  name: 'method',
  label: 'Method',
  as: 'text',
  placeholder: 'eth_getBalance',
} as const satisfies ProviderField
const paramsField = {
  name: 'params',
  label: 'Params',
  as: 'json',
  description: 'A JSON array or object.',
} as const satisfies ProviderField

export const rpc = {
  type: 'rpc',
  schema: z.discriminatedUnion('transport', [RpcEndpointProvider, RpcSourceProvider], {
    error: 'must be endpoint or source',
  }),
  forms: [
    {
      title: 'JSON-RPC endpoint',
      about: 'Calls a method of a JSON-RPC server by its URL.',
      blank: { type: 'rpc', transport: 'endpoint', url: '', method: '' },
      isFor: ({ transport }) => transport !== 'source',
      fields: [
        urlField,
        methodField,
        paramsField,
        headersField,
        { ...bodyField, description: 'Replaces the whole request.' },
      ],
    },
    {
      title: 'JSON-RPC of the source',
      about: 'Calls a method of the node of the trigger’s source.',
      blank: { type: 'rpc', transport: 'source', method: '' },
      fields: [methodField, paramsField],
      isFor: ({ transport }) => transport === 'source',
    },
  ],
} as const satisfies ProviderRecord
