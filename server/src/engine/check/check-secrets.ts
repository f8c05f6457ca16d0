import type { Issue, Provider } from '@tocsin/contract'
import { secretNames } from '../providers/secrets.ts'

/** A script could output the secret, and a state window would store it. */
export function explainNoSecret({ type }: Provider): string | undefined {
  if (type === 'javascript') return 'a script cannot use secrets: use them in an http, graphql or rpc provider'
  return type === 'state_window'
    ? 'a state window cannot use secrets: use them in an http, graphql or rpc provider'
    : undefined
}

const secret = '\\{\\{\\s*secrets\\.[\\w-]+\\s*\\}\\}'
const fixedHost = new RegExp(`^\\s*(?:https?://(?:[^/?#{}]|${secret})*|${secret})(?:[/?#]|$)`, 'i')

/** The host receives the secret, so an item or a subscriber must not choose the host. */
export function checkSecretUrl(provider: Provider, path: string): Issue[] {
  if (!('url' in provider) || secretNames(provider).length === 0 || fixedHost.test(provider.url)) return []
  return [{ path: `${path}.url`, message: 'must have a host without placeholders, because the request sends a secret' }]
}
