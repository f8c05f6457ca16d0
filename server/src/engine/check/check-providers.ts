import type { Issue, Provider } from '@tocsin/contract'
import { issueUnless } from '../base/issue-unless.ts'
import { fieldsWithoutPlaceholders, placeholderPattern, queryWithPlaceholder } from '../base/placeholders.ts'
import { secretNames } from '../providers/secrets.ts'
import { checkRead } from '../sources/chains.ts'
import { checkPlaceholders, type Scope } from './check-placeholders.ts'
import { checkOutputSchema, checkSchema } from './check-schemas.ts'
import { checkScript } from './check-scripts.ts'

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

/** A script could output the secret, and a state window would store it. */
function explainNoSecret({ type }: Provider): string | undefined {
  if (type === 'javascript') return 'a script cannot use secrets: use them in an http, graphql or rpc provider'
  return type === 'state_window'
    ? 'a state window cannot use secrets: use them in an http, graphql or rpc provider'
    : undefined
}

const secret = '\\{\\{\\s*secrets\\.[\\w-]+\\s*\\}\\}'
const fixedHost = new RegExp(`^\\s*(?:https?://(?:[^/?#{}]|${secret})*|${secret})(?:[/?#]|$)`, 'i')

/** The host receives the secret, so an item or a subscriber must not choose the host. */
function checkSecretUrl(provider: Provider, path: string): Issue[] {
  if (!('url' in provider) || secretNames(provider).length === 0 || fixedHost.test(provider.url)) return []
  return [{ path: `${path}.url`, message: 'must have a host without placeholders, because the request sends a secret' }]
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const urlMax = 8192

/** Requires http(s), ignoring placeholders. If the URL begins with a placeholder, only a run can check it. */
function checkUrl(url: string, path: string): Issue[] {
  if (url.length > urlMax) return [{ path, message: `must be at most ${urlMax} characters` }]
  if (url.trimStart().startsWith('{{')) return []
  const plain = url.replaceAll(placeholderPattern, '0')
  const isHttp = URL.canParse(plain) && /^https?:$/.test(new URL(plain).protocol)
  return isHttp ? [] : [{ path, message: 'must be an http or https URL' }]
}

/** A line break in a header value would add another header. */
function checkHeaders(headers: Record<string, string>, path: string): Issue[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    ...(headerName.test(name) ? [] : [{ path: `${path}.${name}`, message: 'is not a valid header name' }]),
    ...(hasControls(value) ? [{ path: `${path}.${name}`, message: 'must not contain control characters' }] : []),
  ])
}

function hasControls(text: string): boolean {
  return [...text].some((character) => (character < ' ' && character !== '\t') || character === '\x7f')
}
