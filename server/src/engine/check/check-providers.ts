import type { Issue, Provider } from '@tocsin/contract'
import { issueUnless } from '../base/issue-unless.ts'
import { fieldsWithoutPlaceholders } from '../base/placeholders.ts'
import { rulesOf } from '../providers/list.ts'
import { secretNames } from '../providers/secrets.ts'
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
  const { check, script, whyNoCache, whyNoSecrets } = rulesOf(provider)
  return [
    ...(hasId ? [] : [{ path: `${path}.id`, message: 'must be an identifier: letters, digits and _, no digit first' }]),
    ...((await check?.(path)) ?? []),
    ...(script === undefined ? [] : checkScript(Reflect.get(provider, script), `${path}.${script}`)),
    ...(provider.runIf === undefined ? [] : checkScript(provider.runIf, `${path}.runIf`)),
    ...issueUnless(whyNoCache === undefined || provider.cache === undefined, `${path}.cache`, whyNoCache ?? ''),
    ...checkPlaceholders(provider, path, { ...scope, secrets: { whyNot: whyNoSecrets } }, fieldsWithoutPlaceholders),
    ...checkSecretUrl(provider, path),
    ...checkOwnOutputSchema(provider.outputSchema, `${path}.outputSchema`),
  ]
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

const secret = '\\{\\{\\s*secrets\\.[\\w-]+\\s*\\}\\}'
const fixedHost = new RegExp(`^\\s*(?:https?://(?:[^/?#{}]|${secret})*|${secret})(?:[/?#]|$)`, 'i')

/** The host receives the secret, so an item or a subscriber must not choose the host. */
function checkSecretUrl(provider: Provider, path: string): Issue[] {
  if (!('url' in provider) || secretNames(provider).length === 0 || fixedHost.test(provider.url)) return []
  return [{ path: `${path}.url`, message: 'must have a host without placeholders, because the request sends a secret' }]
}
