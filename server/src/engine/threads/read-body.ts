import {
  findUnsafe,
  type Issue,
  issuesOf,
  overLimits,
  type PayloadLimits,
  type Route,
  type RouteName,
  routes,
} from '@tocsin/contract'

/**
 * A body with more values would hold up the main thread each time that a thread takes it over or gives it back. A stack has
 * many entities.
 */
export const bodyValuesMax = { usual: 50_000, stack: 100_000 }

export type SentBody = { route: RouteName; bytes: Uint8Array; limits: PayloadLimits }
export type ReadBody = { ok: true; body: unknown } | { ok: false; json: string } | { ok: false; issues: Issue[] }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the JSON of a body by the schema of its route. No bytes are a body that was left out. */
export function readBody({ route: name, bytes, limits }: SentBody): ReadBody {
  const route: Route = routes[name]
  if (!route.body) return { ok: true, body: undefined }
  let value: unknown
  try {
    value = bytes.length > 0 ? JSON.parse(utf8.decode(bytes)) : route.bodyOptional ? {} : undefined
  } catch (error) {
    return { ok: false, json: reasonOf(error) }
  }
  const unsafe = whatIsUnsafe(value, bodyValuesMax[route.bodyKind === 'stack' ? 'stack' : 'usual'])
  if (unsafe) return { ok: false, issues: [unsafe] }
  const read = route.body.safeParse(value)
  if (!read.success) return { ok: false, issues: issuesOf(read.error) }
  const issues = overLimits(name, read.data as never, limits)
  return issues.length > 0 ? { ok: false, issues } : { ok: true, body: read.data }
}

function whatIsUnsafe(value: unknown, valuesMax: number): Issue | undefined {
  const unsafe = findUnsafe(value, undefined, valuesMax)
  return unsafe && { path: unsafe.path.map(String).join('.'), message: unsafe.message }
}

/** V8 quotes the text around the error, which may be a secret, so only the position is reported. */
function reasonOf(error: unknown): string {
  if (!(error instanceof SyntaxError)) return 'it is not UTF-8.'
  const at = /at position (\d+)/.exec(error.message)
  return at ? `there is an error at position ${at[1]}.` : 'it ends too early or has an unexpected character.'
}
