import type { Body } from '../../data/api.ts'

export type Attempt = Body<'testResource'>
export type SentRequest = NonNullable<Attempt['request']>

/** The request as a command for a shell. The service has replaced secrets by `•••`: fill them in before you run it. */
export function curlOf({ method, url, headers, body }: SentRequest): string {
  const lines = [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

/** In single quotes a shell reads every character as it is, except the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
