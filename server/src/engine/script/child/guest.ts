// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method that a tenant can change
type GuestLimits = { outputChars: number; logChars: number; logEntries: number }
/** A script that uses the ABI helpers asks for the hash; no other script gets it. */
type Script = ((context: unknown, hash?: (text: string) => string) => unknown) & { usesHash?: boolean }

/**
 * Our own code inside the sandbox. The sandbox gets this function as source text, so it must use nothing from outside. It
 * saves the built-ins that it needs before a tenant's code can change them. It answers with a string: either only the
 * JSON of the result, or `!`, a letter for the kind, `+` (logs) or `-` (no logs), then JSON.
 */
export function installGuest(limits: GuestLimits, helpers: unknown, hash: (text: string) => string) {
  const { parse, stringify } = JSON
  const isPrototypeOfMethod = Object.prototype.isPrototypeOf
  const { apply } = Reflect
  const { resolve } = Promise
  const [promise, then, slice, includes] = [
    Promise,
    Promise.prototype.then,
    String.prototype.slice,
    String.prototype.includes,
  ]
  const [failures, asString] = [Error.prototype, String]

  let logs = ''
  let logChars = 0
  let logEntries = 0
  let settledAnswer: string | undefined
  let isAnswered = false
  let seed = 0
  /** Holds the values of a call, so that QuickJS does not free them one by one when `run` ends: the whole memory is restored anyway. */
  const kept: { context?: unknown; value?: unknown } = { context: undefined, value: undefined }

  const cut = (text: string, length: number): string => apply(slice, text, [0, length])
  const isError = (value: unknown): value is Error => apply(isPrototypeOfMethod, failures, [value])

  /** mulberry32, seeded by the item's time: the same item gets the same numbers on every machine. */
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const { imul } = Math

  /** `rawJSON` lets a script write text into the result that the parent would read as infinite numbers. */
  Reflect.deleteProperty(JSON, 'rawJSON')

  Object.defineProperty(BigInt.prototype, 'toJSON', {
    value(this: bigint) {
      return asString(this)
    },
    writable: true,
    configurable: true,
  })

  const toText = (value: unknown): string => {
    if (typeof value === 'string') return value
    if (isError(value)) return messageOf(value)
    try {
      return stringify(value) ?? asString(value)
    } catch {
      return '[unserializable]'
    }
  }

  const messageOf = (error: unknown): string => {
    try {
      if (!isError(error)) return cut(typeof error === 'object' ? (stringify(error) ?? '') : asString(error), 500)
      const name = asString(error.name)
      return cut((name === 'Error' ? '' : name + ': ') + asString(error.message), 500)
    } catch {
      return 'an error that cannot be shown'
    }
  }

  const writer =
    (level: string) =>
    (...values: unknown[]) => {
      if (isAnswered || logEntries >= limits.logEntries || logChars >= limits.logChars) return
      let line = ''
      for (let at = 0; at < values.length; at++) line += (at > 0 ? ' ' : '') + toText(values[at])
      line = cut(line, limits.logChars - logChars)
      logChars += line.length
      logs += (logEntries++ > 0 ? ',' : '') + '{"level":"' + level + '","message":' + stringify(line) + '}'
    }
  const log = writer('log')
  const [info, warn, error, debug] = [writer('info'), writer('warn'), writer('error'), writer('debug')]
  const console = Object.freeze({ log, info, warn, error, debug })
  Object.defineProperty(globalThis, 'console', { value: console, writable: true, configurable: true })

  const pending = '!p-'
  const encodeAnswer = (kind: string, json = ''): string => '!' + kind + (logEntries > 0 ? '+' : '-') + json

  /** The kind is `m` if the memory is used up, else `t`. */
  const encodeError = (error: unknown): string => {
    const message = messageOf(error)
    const stack = isError(error) && typeof error.stack === 'string' ? cut(error.stack, 2000) : ''
    const isMemory = message === 'InternalError: out of memory'
    return encodeAnswer(isMemory ? 'm' : 't', '{"message":' + stringify(message) + ',"stack":' + stringify(stack) + '}')
  }

  const encodeValue = (value: unknown): string => {
    let json: string | undefined
    try {
      json = stringify(value)
    } catch (error) {
      if (!isError(error) || !apply(includes, messageOf(error), ['circular'])) return encodeError(error)
      return encodeAnswer('n', '{"message":"the result refers to itself, and cannot be JSON"}')
    }
    if (value === undefined) return encodeAnswer('v', 'null')
    if (json === undefined)
      return encodeAnswer('n', '{"message":"the result is a ' + typeof value + ', and cannot be JSON"}')
    if (json.length > limits.outputChars) return encodeAnswer('o')
    return logEntries > 0 ? encodeAnswer('v', json) : json
  }

  const begin = (nowMs: number) => {
    seed = (nowMs ^ (nowMs / 4294967296)) | 0
    logs = ''
    logChars = 0
    logEntries = 0
    settledAnswer = undefined
    isAnswered = false
  }

  const run = (script: Script, json: string, nowMs: number): string => {
    begin(nowMs)
    const answer = start(script, json)
    isAnswered = answer !== pending
    return answer
  }

  /** Returns `pending` if the result is a promise. `finish` returns the answer after the pending jobs have run. */
  const start = (script: Script, json: string): string => {
    try {
      const context = parse(json)
      context.input = context.source
      if ('raw' in context) context.output = context.raw
      context.helpers = helpers
      context.console = console
      kept.context = context
      const value = script.usesHash ? script(context, hash) : script(context)
      kept.value = value
      if (!isThenable(value)) return encodeValue(value)
      const adopted = apply(resolve, promise, [value])
      apply(then, adopted, [storeAnswer(encodeValue), storeAnswer(encodeError)])
      return pending
    } catch (error) {
      return encodeError(error)
    }
  }

  const storeAnswer = (encode: (value: unknown) => string) => (value: unknown) => {
    settledAnswer = encode(value)
  }

  const isThenable = (value: unknown): boolean =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'

  return {
    run,
    /** Called after the pending jobs have run. */
    finish: () =>
      settledAnswer ?? encodeAnswer('n', '{"message":"the promise that the script returned never settles"}'),
    logs: () => '[' + logs + ']',
    describe: encodeError,
  }
}
