import type { Issue, Provider } from '@tocsin/contract'
import { fieldsWithoutPlaceholders, queryWithPlaceholder } from '../base/placeholders.ts'
import { isEvmAddress, isSolanaAddress } from '../sources/addresses.ts'
import { checkFunctionAbi } from '../sources/evm/abi/check-abi.ts'
import { checkAccountIdl } from '../sources/solana/idl/check-idl.ts'
import { checkHeaders, checkUrl, holdsPlaceholder } from './check-http.ts'
import { checkPlaceholders, type Scope } from './check-placeholders.ts'
import { checkOutputSchema, checkSchema } from './check-schemas.ts'
import { checkScript } from './check-scripts.ts'
import { checkSecretUrl, whyNoSecret } from './check-secrets.ts'

const identifier = /^[A-Za-z_$][\w$]{0,63}$/
const seedTypes = [
  'string',
  'utf8',
  'publicKey',
  'pubkey',
  'address',
  'hex',
  'bytes',
  'base58',
  'bool',
  'u8',
  'u16',
  'u32',
  'u64',
  'u128',
]

export function checkProviderIds(providers: Provider[], path: string): Issue[] {
  return providers.flatMap(({ id }, index) => {
    const isRepeated = providers.findIndex((provider) => provider.id === id) < index
    return isRepeated
      ? [{ path: `${path}.${index}.id`, message: `another provider has the id ${id.slice(0, 64)}` }]
      : []
  })
}

/** Everything about one provider, given what its placeholders may refer to. */
export async function checkProviderFields(provider: Provider, path: string, scope: Scope): Promise<Issue[]> {
  const hasId = identifier.test(provider.id)
  return [
    ...(hasId ? [] : [{ path: `${path}.id`, message: 'must be an identifier: letters, digits and _, no digit first' }]),
    ...(await checkByType(provider, path)),
    ...checkPlaceholders(
      provider,
      path,
      { ...scope, secrets: { whyNot: whyNoSecret(provider) } },
      fieldsWithoutPlaceholders,
    ),
    ...checkSecretUrl(provider, path),
    ...checkOwnOutputSchema(provider.outputSchema, `${path}.outputSchema`),
  ]
}

async function checkByType(provider: Provider, path: string): Promise<Issue[]> {
  if (
    provider.type === 'http' ||
    provider.type === 'graphql' ||
    (provider.type === 'rpc' && provider.transport === 'endpoint')
  ) {
    return [
      ...checkUrl(provider.url, `${path}.url`),
      ...checkHeaders(provider.headers ?? {}, `${path}.headers`),
      ...(provider.type === 'graphql' ? checkQuery(provider.query, `${path}.query`) : []),
    ]
  }
  if (provider.type === 'javascript') return checkScript(provider.source, `${path}.source`)
  if (provider.type === 'evm_read') return checkEvmRead(provider, path)
  if (provider.type === 'solana_account') return checkSolanaAccount(provider, path)
  return []
}

function checkQuery(query: string, path: string): Issue[] {
  return query.includes('{{') ? [{ path, message: queryWithPlaceholder }] : []
}

async function checkEvmRead(provider: Extract<Provider, { type: 'evm_read' }>, path: string): Promise<Issue[]> {
  const { contract, abiFragment, method, args = [] } = provider
  const isContract = isEvmAddress(contract) || holdsPlaceholder(contract)
  return [
    ...(isContract ? [] : [{ path: `${path}.contract`, message: 'must be an address or a placeholder' }]),
    ...(await checkFunctionAbi(abiFragment, method, args, path)),
  ]
}

async function checkSolanaAccount(
  provider: Extract<Provider, { type: 'solana_account' }>,
  path: string,
): Promise<Issue[]> {
  const { account, programId, pda, idl, accountName } = provider
  const message = 'must be a base58 address of 32 bytes or a placeholder'
  // A program-derived address is computed from its seeds, and then `account` says nothing.
  const addresses = { account: pda ? undefined : account, programId, 'pda.programId': pda?.programId }
  const wrong = Object.entries(addresses).filter(
    ([, text]) => text !== undefined && !isSolanaAddress(text) && !holdsPlaceholder(text),
  )
  return [
    ...wrong.map(([field]) => ({ path: `${path}.${field}`, message })),
    ...checkSeeds(pda?.seeds ?? [], `${path}.pda.seeds`),
    ...(idl === undefined ? [] : await checkAccountIdl(idl, accountName, path)),
  ]
}

function checkSeeds(seeds: { type: string }[], path: string): Issue[] {
  return seeds.flatMap(({ type }, index) =>
    seedTypes.includes(type)
      ? []
      : [{ path: `${path}.${index}.type`, message: `must be one of ${seedTypes.join(', ')}` }],
  )
}

/** A provider's result has one schema, or a map of its fields; what is sound as either is sound. */
function checkOwnOutputSchema(schema: Provider['outputSchema'], path: string): Issue[] {
  if (schema === undefined) return []
  const asOne = checkSchema(schema, path)
  if (typeof schema === 'string' || typeof schema.type === 'string') return asOne
  const asMap = checkOutputSchema(schema, path)
  const isOne = schema.type !== undefined && asOne.length === 0
  return isOne ? [] : asMap
}
