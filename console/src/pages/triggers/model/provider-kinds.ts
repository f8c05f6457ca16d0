import type { SourceKind } from '@tocsin/contract'
import type { Fields } from './definition.ts'

/** The input of one field of a provider. */
export type ProviderField = {
  name: string
  label: string
  description?: string
  placeholder?: string
} & (
  | { as: 'text' | 'area' | 'number' | 'json' | 'code' | 'abi' }
  | { as: 'choice'; options: readonly string[] }
  | { as: 'choices'; options: readonly string[] }
  | { as: 'source'; kind?: SourceKind }
)

/** A type of provider in the builder. The two transports of `rpc` are two kinds. */
export type ProviderKind = { key: string; title: string; about: string; blank: Fields; fields: ProviderField[] }

const url: ProviderField = {
  name: 'url',
  label: 'URL',
  as: 'text',
  placeholder: 'https://api.example.org/{{source.params.to}}',
}
const headers: ProviderField = {
  name: 'headers',
  label: 'Headers',
  as: 'json',
  description: 'A JSON object of strings. Only the workspace can see it.',
}
const variables: ProviderField = {
  name: 'variables',
  label: 'Variables',
  as: 'json',
  description: 'A JSON object. Placeholders are allowed.',
}
const params: ProviderField = { name: 'params', label: 'Params', as: 'json', description: 'A JSON array or object.' }
const method: ProviderField = { name: 'method', label: 'Method', as: 'text', placeholder: 'eth_getBalance' }
const body: ProviderField = { name: 'body', label: 'Body', as: 'json' }
const args: ProviderField = { name: 'args', label: 'Arguments', as: 'json', description: 'A JSON array.' }
const source = (kind: SourceKind): ProviderField => ({ name: 'source', label: 'Source', as: 'source', kind })

export const providerKinds: ProviderKind[] = [
  {
    key: 'http',
    title: 'HTTP request',
    about: 'Fetches JSON or text from a URL.',
    blank: { type: 'http', url: '' },
    fields: [
      url,
      { name: 'method', label: 'Method', as: 'choice', options: ['GET', 'POST', 'PUT'] },
      { name: 'queryParams', label: 'Query', as: 'json', description: 'A JSON object of strings and numbers.' },
      headers,
      body,
    ],
  },
  {
    key: 'graphql',
    title: 'GraphQL query',
    about: 'Sends a query to a GraphQL endpoint and returns its data.',
    blank: { type: 'graphql', url: '', query: '' },
    fields: [url, { name: 'query', label: 'Query', as: 'area', placeholder: '{ pools { id } }' }, variables, headers],
  },
  {
    key: 'rpc:endpoint',
    title: 'JSON-RPC endpoint',
    about: 'Calls a method of a JSON-RPC server by its URL.',
    blank: { type: 'rpc', transport: 'endpoint', url: '', method: '' },
    fields: [url, method, params, headers, { ...body, description: 'Replaces the whole request.' }],
  },
  {
    key: 'rpc:source',
    title: 'JSON-RPC of the source',
    about: 'Calls a method of the node of the trigger’s source.',
    blank: { type: 'rpc', transport: 'source', method: '' },
    fields: [method, params],
  },
  {
    key: 'evm_read',
    title: 'EVM contract read',
    about: "Calls a view function at the item's block.",
    blank: { type: 'evm_read', contract: '', method: '', abiFragment: '' },
    fields: [
      { name: 'contract', label: 'Contract', as: 'text', placeholder: '{{source.address}}' },
      {
        name: 'abiFragment',
        label: 'ABI of the function',
        as: 'abi',
        placeholder: 'function decimals() view returns (uint8)',
      },
      { name: 'method', label: 'Function', as: 'text', placeholder: 'decimals' },
      args,
      source('evm'),
    ],
  },
  {
    key: 'substrate_storage',
    title: 'Substrate storage',
    about: "Reads a storage entry at the item's block.",
    blank: { type: 'substrate_storage', module: '', entry: '' },
    fields: [
      { name: 'module', label: 'Pallet', as: 'text', placeholder: 'system' },
      { name: 'entry', label: 'Entry', as: 'text', placeholder: 'account' },
      args,
      {
        name: 'block',
        label: 'Block',
        as: 'text',
        description: "A number, a hash or a placeholder. Leave empty to use the item's block.",
      },
      source('substrate'),
    ],
  },
  {
    key: 'solana_account',
    title: 'Solana account',
    about: 'Reads an account and decodes it if you give an IDL.',
    blank: { type: 'solana_account', account: '' },
    fields: [
      { name: 'account', label: 'Account', as: 'text', description: 'Leave empty if the PDA below derives it.' },
      { name: 'programId', label: 'Program', as: 'text' },
      { name: 'accountName', label: 'Name in the IDL', as: 'text' },
      { name: 'bytesEncoding', label: 'Bytes', as: 'choice', options: ['hex', 'base64'] },
      { name: 'idl', label: 'IDL', as: 'json' },
      { name: 'pda', label: 'PDA', as: 'json', description: '{"seeds": [{"type": "string", "value": "vault"}]}' },
      source('solana'),
    ],
  },
  {
    key: 'token_metadata',
    title: 'Token metadata',
    about: 'Reads the name, symbol and decimals of a token.',
    blank: { type: 'token_metadata', contract: '' },
    fields: [
      {
        name: 'contract',
        label: 'Token',
        as: 'text',
        placeholder: '{{source.address}}',
        description: 'The address of a contract, a Solana mint, or the number of a Substrate asset.',
      },
      { name: 'source', label: 'Source', as: 'source' },
    ],
  },
  {
    key: 'price',
    title: 'Price feed',
    about: 'Reads the last price of a Chainlink feed, with its age.',
    blank: { type: 'price', feed: '' },
    fields: [
      { name: 'feed', label: 'Feed', as: 'text', description: 'The address of the aggregator.' },
      {
        name: 'maxAgeMs',
        label: 'Maximum age in ms',
        as: 'number',
        description: 'An older price is marked as stale. Leave empty if age does not matter.',
      },
      source('evm'),
    ],
  },
  {
    key: 'state_window',
    title: 'State window',
    about: 'Stores the last values, so that scripts can compare with them.',
    blank: { type: 'state_window', dedupeBy: '{{source.transactionHash}}', value: '', keepLast: 10 },
    fields: [
      { name: 'value', label: 'Value', as: 'text', placeholder: '{{source.params.value}}' },
      {
        name: 'valueType',
        label: 'Value type',
        as: 'choice',
        options: ['number', 'string', 'boolean', 'object', 'array', 'unknown'],
      },
      { name: 'dedupeBy', label: 'Deduplicate by', as: 'text', placeholder: '{{source.transactionHash}}' },
      { name: 'partitionBy', label: 'Partition by', as: 'text', placeholder: '{{source.address}}' },
      { name: 'keepLast', label: 'Number of values', as: 'number', description: '1 to 1,000' },
      { name: 'aggregate', label: 'Aggregates', as: 'choices', options: ['values', 'avg', 'min', 'max', 'sum'] },
    ],
  },
  {
    key: 'javascript',
    title: 'JavaScript',
    about: 'Computes a value from the item and earlier providers.',
    blank: { type: 'javascript', source: '' },
    fields: [{ name: 'source', label: 'Script', as: 'code' }, variables],
  },
]

export function providerKindOf({ type, transport }: Fields): ProviderKind | undefined {
  const key = type === 'rpc' ? `rpc:${transport === 'source' ? 'source' : 'endpoint'}` : type
  return providerKinds.find((kind) => kind.key === key)
}
