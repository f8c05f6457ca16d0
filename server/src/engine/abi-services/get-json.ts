import { parseForeignJson } from '../base/foreign-json.ts'
import type { Door } from '../outbound/door.ts'

/** The service answered, but not with what its API promises. The message never holds a key. */
export class Failed extends Error {}

/** `status` is that of HTTP. `body` is undefined if the answer is not JSON. */
export type GetJson = (url: URL) => Promise<{ status: number; body: unknown }>

/** An ABI with its documentation takes less than 1 MB; source files make an answer of Etherscan longer. */
const responseBytesMax = 5 * 1024 * 1024

export function getJson(door: Door, timeoutMs: number): GetJson {
  return async (url) => {
    const headers = { accept: 'application/json' }
    const { status, text } = await door.fetch(url.href, { headers, timeoutMs, responseBytesMax, staysAtOrigin: true })
    return { status, body: await parse(text) }
  }
}

async function parse(text: string): Promise<unknown> {
  try {
    return await parseForeignJson(text)
  } catch {
    return undefined
  }
}

/** The answer to a request that was not understood, or for which the service was not in a state to answer. */
export function failed(status: number, body: unknown): Failed {
  if (status === 429) return new Failed('it asks to be called less often')
  if (status >= 400) return new Failed(`it answered HTTP ${status}`)
  return new Failed(body === undefined ? 'its answer is not JSON' : 'its answer is not that of its API')
}
