/**
 * Providers as somebody outside the workspace sees them. Headers, bodies, query parameters and variables carry keys and
 * are left out; of an address only the host remains, because keys stand in paths as often as in queries.
 */
export function withoutSecrets(providers: Record<string, unknown>[]): Record<string, unknown>[] {
  return providers.map((provider) => {
    const { headers, body, queryParams, variables, ...open } = provider
    return typeof open.url === 'string' ? { ...open, url: hostOnly(open.url) } : open
  })
}

const hidden = '***'

function hostOnly(url: string): string {
  if (!URL.canParse(url)) return hidden
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}/${hidden}`
}
