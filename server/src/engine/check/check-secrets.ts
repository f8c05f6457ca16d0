import type { Issue, Provider } from '@tocsin/contract'
import { secretNames } from '../providers/secrets.ts'

/** A script could output the secret, and a window would store it. */
export function whyNoSecret({ type }: Provider): string | undefined {
  if (type === 'javascript') return 'a script gets no secrets: use them in an http, graphql or rpc provider'
  return type === 'state_window' ? 'a window keeps no secrets: use them in an http, graphql or rpc provider' : undefined
}

const secret = '\\{\\{\\s*secrets\\.[\\w-]+\\s*\\}\\}'
const writtenHost = new RegExp(`^\\s*(?:https?://(?:[^/?#{}]|${secret})*|${secret})(?:[/?#]|$)`, 'i')

/** Whoever chooses the host gets what is sent there: an item or a subscriber must not. */
export function checkSecretUrl(provider: Provider, path: string): Issue[] {
  if (!('url' in provider) || secretNames(provider).length === 0 || writtenHost.test(provider.url)) return []
  return [{ path: `${path}.url`, message: 'must name its host without other placeholders, because it sends a secret' }]
}
