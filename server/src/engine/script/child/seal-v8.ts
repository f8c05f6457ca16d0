/**
 * Makes a world of V8 in which nothing can be changed but what a call makes itself: so it can serve one call after the
 * other, and each finds it as the first one did. `roots` are our own objects that a script can get hold of. It is sent
 * into the sandbox as text, so it stands alone.
 */
export function sealWorld(roots: object[]) {
  /** What no name leads to. */
  const hidden = () => {
    const generator = function* () {}
    const asyncGenerator = async function* () {}
    const strict = (function (this: undefined) {
      // biome-ignore lint/complexity/noArguments: its getter is one of the hidden things
      return Object.getOwnPropertyDescriptor(arguments, 'callee')?.get
    })()
    const iterators = [[].values(), ''[Symbol.iterator](), new Map().keys(), new Set().keys(), ''.matchAll(/./g)]
    const helpers = [[].values().map((x) => x), Iterator.from({ next: () => ({ done: true, value: undefined }) })]
    return [generator, generator(), asyncGenerator, asyncGenerator(), async () => {}, strict, ...iterators, ...helpers]
  }

  const isObject = (value: unknown): value is object =>
    (typeof value === 'object' && value !== null) || typeof value === 'function'

  const partsOf = (owner: object): unknown[] => {
    const properties = Object.values(Object.getOwnPropertyDescriptors(owner))
    const symbols = Object.getOwnPropertySymbols(owner).map((key) => Reflect.getOwnPropertyDescriptor(owner, key))
    const found = [...properties, ...symbols].flatMap((each) => (each ? [each.value, each.get, each.set] : []))
    return [Object.getPrototypeOf(owner), ...found]
  }

  const all = new Set<object>()
  const add = (value: unknown) => {
    if (isObject(value)) all.add(value)
  }
  for (const root of [globalThis, ...roots, ...hidden()]) add(root)
  for (const owner of all) for (const part of partsOf(owner)) add(part)

  /**
   * A frozen property of a prototype would keep objects below it from having one of that name by assignment. Those that
   * scripts do give to their own objects become pairs of functions, which let them.
   */
  const letBelow = (owner: object) => {
    for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (!writable) continue
      const set = function (this: object, given: unknown) {
        if (this === owner) throw new TypeError(`${name} cannot be changed`)
        Object.defineProperty(this, name, { value: given, writable: true, enumerable: true, configurable: true })
      }
      const get = () => value
      for (const each of [get, set]) all.add(each)
      Object.defineProperty(owner, name, { get, set, enumerable: false, configurable: false })
    }
  }
  const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError]
  for (const kind of [Object, Function, ...errors]) letBelow(kind.prototype)
  for (const each of all) Object.freeze(each)
}
