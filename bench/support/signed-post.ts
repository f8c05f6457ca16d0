import { createHmac } from 'node:crypto'

/** Sends a signed webhook with fetch, as a plain script does it. */
export async function signedPost(url: string, id: string, body: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', 's').update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
}

/** The URL of one of many webhooks: a path each on one host, or a host each, because Linux serves all of 127.0.0.0/8. */
export function hookUrl(base: string, at: number, hosts: string): string {
  return hosts === 'many' ? base.replace('127.0.0.1', `127.1.${at >> 8}.${at & 255}`) : `${base}/${at}`
}
