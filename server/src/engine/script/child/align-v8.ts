/**
 * Makes a V8 realm look like QuickJS to scripts: the same global names, a constant clock, no access to the garbage
 * collector, no state from other calls. The sandbox gets this function as source text, so it must use nothing from outside.
 * It returns the function that begins a call.
 */
export function alignV8WithQuickjs(names: string) {
  const kept = new Set<PropertyKey>(names.split(' '))
  for (const name of Reflect.ownKeys(globalThis))
    if (!kept.has(name) && !Reflect.deleteProperty(globalThis, name))
      throw new Error(`${String(name)} cannot be removed`)
  /** RegExp keeps the last match of any call in these properties. */
  const lastMatchNames = /^(?:input|last\w+|\w+Context|\$.)$/
  for (const name of Object.getOwnPropertyNames(RegExp))
    if (lastMatchNames.test(name)) Reflect.deleteProperty(RegExp, name)

  const { apply, construct } = Reflect
  const define = (owner: object, name: PropertyKey, value: unknown) =>
    Object.defineProperty(owner, name, { value, writable: true, enumerable: false, configurable: true })

  /** Replaces a constructor everywhere: as a global and on its prototype. */
  const replace = (real: { name: string; prototype: object }, other: object) => {
    const { prototype, ...own } = Object.getOwnPropertyDescriptors(real)
    Object.defineProperties(other, { ...own, prototype })
    define(real.prototype, 'constructor', other)
    define(globalThis, real.name, other)
  }

  let nowMs = 0
  const RealDate = Date
  const dateText = RealDate.prototype.toString
  const clock = function (...parts: []) {
    if (new.target === undefined) return apply(dateText, new RealDate(nowMs), [])
    return construct(RealDate, parts.length === 0 ? [nowMs] : parts, new.target)
  }
  replace(RealDate, clock)
  define(clock, 'now', { now: () => nowMs }.now)

  /** V8 reserves the maximum size of a growable buffer without counting it against the limit, so we refuse such buffers. */
  const RealBuffer = ArrayBuffer
  const buffer = function (bytes: unknown, options?: { maxByteLength?: unknown }) {
    if (new.target === undefined) throw new TypeError('ArrayBuffer is a constructor')
    if (options?.maxByteLength !== undefined) throw new RangeError('growable buffers are not available')
    return construct(RealBuffer, [bytes], new.target)
  }
  replace(RealBuffer, buffer)

  /** V8's global symbol registry would outlive the call. */
  let symbols: { [key: string]: symbol } = Object.create(null)
  const { ownKeys } = Reflect
  const [text, newSymbol] = [String, Symbol]
  define(Symbol, 'for', (key: unknown): symbol => {
    const name = text(key)
    symbols[name] ??= newSymbol(name)
    return symbols[name]
  })
  define(Symbol, 'keyFor', (symbol: symbol): PropertyKey | undefined => {
    if (typeof symbol !== 'symbol') throw new TypeError('not a symbol')
    const keys = ownKeys(symbols)
    for (let at = 0; at < keys.length; at++) if (symbols[text(keys[at])] === symbol) return keys[at]
    return undefined
  })

  const { then } = Promise.prototype
  const resolved = Promise.resolve()
  define(globalThis, 'queueMicrotask', (task: unknown) => {
    if (typeof task !== 'function') throw new TypeError('not a function')
    apply(then, resolved, [() => void apply(task, undefined, [])])
  })

  return (callNowMs: number) => {
    nowMs = callNowMs
    symbols = Object.create(null)
  }
}

/** The global names of QuickJS, without those for memory shared between threads. */
export const namesOfQuickjs =
  'AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DataView Date ' +
  'DisposableStack Error EvalError Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array ' +
  'Int8Array Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String ' +
  'SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap ' +
  'WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat ' +
  'parseInt undefined unescape'
