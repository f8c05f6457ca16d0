/** A request that should cost nobody else anything. The body is made when it is sent, because all together take gigabytes. */
export type Attack = { name: string; method: string; path: string; body?: () => string }
export type Outcome = { status: number; bytes: number; start: string; retryAfter: string | null }

const answerMsMax = 300_000
const answerBytesMax = 8_000_000

export async function sendAttack(url: string, token: string, { method, path, body }: Attack): Promise<Outcome> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const signal = AbortSignal.timeout(answerMsMax)
  const response = await fetch(`${url}${path}`, { method, headers, signal, ...(body && { body: body() }) })
  let [bytes, start] = [0, '']
  for await (const chunk of response.body ?? []) {
    if (bytes < 1_000) start += Buffer.from(chunk).toString('utf8', 0, 1_000)
    bytes += chunk.length
  }
  return { status: response.status, bytes, start, retryAfter: response.headers.get('retry-after') }
}

/** What is wrong with the answer, whatever was sent. */
export function faultOf({ status, bytes, start, retryAfter }: Outcome): string | undefined {
  if (bytes > answerBytesMax) return `answered ${bytes} bytes`
  if (status === 503 && retryAfter === null) return 'answered 503 without Retry-After'
  const told = /"code":"([a-z_]+)"/.exec(start)?.[1]
  if (status >= 400 && told === undefined) return `answered ${status} without a code: ${start}`
  // A node that does not answer well is a 502, and too much work at once a 503.
  if (status >= 500 && told !== 'upstream_failed' && told !== 'unavailable') return `answered ${status} ${start}`
  return undefined
}
