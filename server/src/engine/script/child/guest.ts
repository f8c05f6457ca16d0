// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method that a tenant can change
type GuestLimits = { outputChars: number; logChars: number; logEntries: number }
type Script = (context: unknown) => unknown

/**
 * Our own code inside the sandbox. It is sent there as text, so it stands alone: no import, nothing from outside. What
 * it needs of the language it takes before any tenant's code can change it, and it answers in strings: the JSON of the
 * result alone, or `!`, a letter for the kind, `+` when there are logs, then JSON.
 */
export function installGuest(limits: GuestLimits, helpers: unknown) {
  const { parse, stringify } = JSON
  const isBelow = Object.prototype.isPrototypeOf
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
  let settled: string | undefined
  let isAnswered = false
  let seed = 0
  /** What the memory forgets as a whole need not be taken apart piece by piece when `run` ends. */
  const kept: { context?: unknown; value?: unknown } = { context: undefined, value: undefined }

  const cut = (text: string, length: number): string => apply(slice, text, [0, length])
  const isError = (value: unknown): value is Error => apply(isBelow, failures, [value])

  /** mulberry32: the same numbers for the same item, on every machine. */
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const { imul } = Math

  /** Text that `stringify` would take as it is, and the reader of the result for infinite. */
  Reflect.deleteProperty(JSON, 'rawJSON')

  Object.defineProperty(BigInt.prototype, 'toJSON', {
    value(this: bigint) {
      return asString(this)
    },
    writable: true,
    configurable: true,
  })

  const shown = (value: unknown): string => {
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
      for (let at = 0; at < values.length; at++) line += (at > 0 ? ' ' : '') + shown(values[at])
      line = cut(line, limits.logChars - logChars)
      logChars += line.length
      logs += (logEntries++ > 0 ? ',' : '') + '{"level":"' + level + '","message":' + stringify(line) + '}'
    }
  const log = writer('log')
  const [info, warn, error, debug] = [writer('info'), writer('warn'), writer('error'), writer('debug')]
  const console = Object.freeze({ log, info, warn, error, debug })
  Object.defineProperty(globalThis, 'console', { value: console, writable: true, configurable: true })

  const pending = '!p-'
  const tell = (kind: string, json = ''): string => '!' + kind + (logEntries > 0 ? '+' : '-') + json

  /** `m` when the memory is used up, `t` for everything else that can be thrown. */
  const tellError = (error: unknown): string => {
    const message = messageOf(error)
    const stack = isError(error) && typeof error.stack === 'string' ? cut(error.stack, 2000) : ''
    const isMemory = message === 'InternalError: out of memory'
    return tell(isMemory ? 'm' : 't', '{"message":' + stringify(message) + ',"stack":' + stringify(stack) + '}')
  }

  const tellValue = (value: unknown): string => {
    let json: string | undefined
    try {
      json = stringify(value)
    } catch (error) {
      if (!isError(error) || !apply(includes, messageOf(error), ['circular'])) return tellError(error)
      return tell('n', '{"message":"the result refers to itself, and cannot be JSON"}')
    }
    if (value === undefined) return tell('v', 'null')
    if (json === undefined) return tell('n', '{"message":"the result is a ' + typeof value + ', and cannot be JSON"}')
    if (json.length > limits.outputChars) return tell('o')
    return logEntries > 0 ? tell('v', json) : json
  }

  const begin = (nowMs: number) => {
    seed = (nowMs ^ (nowMs / 4294967296)) | 0
    logs = ''
    logChars = 0
    logEntries = 0
    settled = undefined
    isAnswered = false
  }

  const run = (script: Script, json: string, nowMs: number): string => {
    begin(nowMs)
    const told = start(script, json)
    isAnswered = told !== pending
    return told
  }

  /** `pending` when the answer is a promise: then it is told when the jobs that are left have run. */
  const start = (script: Script, json: string): string => {
    try {
      const context = parse(json)
      context.input = context.source
      if ('raw' in context) context.output = context.raw
      context.helpers = helpers
      context.console = console
      kept.context = context
      const value = script(context)
      kept.value = value
      if (!isThenable(value)) return tellValue(value)
      const adopted = apply(resolve, promise, [value])
      apply(then, adopted, [settle(tellValue), settle(tellError)])
      return pending
    } catch (error) {
      return tellError(error)
    }
  }

  const settle = (told: (value: unknown) => string) => (value: unknown) => {
    settled = told(value)
  }

  const isThenable = (value: unknown): boolean =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'

  return {
    run,
    /** After the pending jobs have run. */
    finish: () => settled ?? tell('n', '{"message":"the promise that the script returned never settles"}'),
    logs: () => '[' + logs + ']',
    describe: tellError,
  }
}
