import type { Issue, Provider } from '@tocsin/contract'
import { issueUnless } from '../base/issue-unless.ts'
import { fieldsWithoutPlaceholders, queryWithPlaceholder } from '../base/placeholders.ts'
import { checkRead } from '../sources/chains.ts'
import { checkHeaders, checkUrl } from './check-http.ts'
import { checkPlaceholders, type Scope } from './check-placeholders.ts'
import { checkOutputSchema, checkSchema } from './check-schemas.ts'
import { checkScript } from './check-scripts.ts'
import { checkSecretUrl, explainNoSecret } from './check-secrets.ts'

const identifier = /^[A-Za-z_$][\w$]{0,63}$/

export function checkProviderIds(providers: Provider[], path: string): Issue[] {
  return providers.flatMap(({ id }, index) => {
    const isRepeated = providers.findIndex((provider) => provider.id === id) < index
    return isRepeated
      ? [{ path: `${path}.${index}.id`, message: `another provider has the id ${id.slice(0, 64)}` }]
      : []
  })
}

/** Checks one provider completely. `scope` has the names that its placeholders may use. */
export async function checkProviderFields(provider: Provider, path: string, scope: Scope): Promise<Issue[]> {
  const hasId = identifier.test(provider.id)
  return [
    ...(hasId ? [] : [{ path: `${path}.id`, message: 'must be an identifier: letters, digits and _, no digit first' }]),
    ...(await checkByType(provider, path)),
    ...(provider.runIf === undefined ? [] : checkScript(provider.runIf, `${path}.runIf`)),
    ...issueUnless(
      provider.type !== 'state_window' || provider.cache === undefined,
      `${path}.cache`,
      'a state window cannot be cached, because it must store every item',
    ),
    ...checkPlaceholders(
      provider,
      path,
      { ...scope, secrets: { whyNot: explainNoSecret(provider) } },
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
  return checkRead(provider, path)
}

function checkQuery(query: string, path: string): Issue[] {
  return query.includes('{{') ? [{ path, message: queryWithPlaceholder }] : []
}

/** A provider's output schema is one schema or a map of its fields. It is valid if either form is valid. */
function checkOwnOutputSchema(schema: Provider['outputSchema'], path: string): Issue[] {
  if (schema === undefined) return []
  const asSchemaIssues = checkSchema(schema, path)
  if (typeof schema === 'string' || typeof schema.type === 'string') return asSchemaIssues
  const asMapIssues = checkOutputSchema(schema, path)
  const isSchema = schema.type !== undefined && asSchemaIssues.length === 0
  return isSchema ? [] : asMapIssues
}
