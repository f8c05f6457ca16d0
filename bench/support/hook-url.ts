/** The URL of one of many webhooks: a path each on one host, or a host each, because Linux serves all of 127.0.0.0/8. */
export function hookUrl(base: string, at: number, hosts: string): string {
  return hosts === 'many' ? base.replace('127.0.0.1', `127.1.${at >> 8}.${at & 255}`) : `${base}/${at}`
}
