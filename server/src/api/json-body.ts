import { findUnsafe } from '@tocsin/contract'
import { invalidPayload, Refusal } from '../domain/refusal.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses bytes into safe JSON; an empty body is undefined. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const value = parse(bytes)
  const unsafe = findUnsafe(value)
  if (unsafe) throw invalidPayload([{ path: unsafe.path.map(String).join('.'), message: unsafe.message }])
  return value
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    throw new Refusal('invalid_json', `The body is not valid JSON: ${reasonOf(error)}`)
  }
}

/** V8 quotes the text around the error, which may be a secret, so only the position is reported. */
function reasonOf(error: unknown): string {
  if (!(error instanceof SyntaxError)) return 'it is not UTF-8.'
  const at = /at position (\d+)/.exec(error.message)
  return at ? `there is an error at position ${at[1]}.` : 'it ends too early or has an unexpected character.'
}
