/**
 * Makes a world of V8 in which nothing can be changed but what a call makes itself: so it can serve one call after the
 * other, and each finds it as the first one did. `roots` are our own objects that a script can get hold of. It is sent
 * into the sandbox as text, so it stands alone.
 */
export function sealWorld(roots: object[]) {
  /** Things whose prototypes have no names. */
  const hidden = (): unknown[] => {
    const generator = function* () {}
    const asyncGenerator = async function* () {}
    const iterators = [[].values(), ''[Symbol.iterator](), new Map().keys(), new Set().keys(), ''.matchAll(/./g)]
    const { map } = Object.getPrototypeOf(Object.getPrototypeOf([].values()))
    const { from } = Reflect.get(globalThis, 'Iterator')
    const helpers = [Reflect.apply(map, [].values(), [String]), from({ next: () => ({ done: true }) })]
    return [generator, generator(), asyncGenerator, asyncGenerator(), async () => {}, ...iterators, ...helpers]
  }

  const isObject = (value: unknown): value is object =>
    (typeof value === 'object' && value !== null) || typeof value === 'function'

  const partsOf = (owner: object): unknown[] => {
    const properties = Object.values(Object.getOwnPropertyDescriptors(owner))
    const symbols = Object.getOwnPropertySymbols(owner).map((key) => Reflect.getOwnPropertyDescriptor(owner, key))
    const found = [...properties, ...symbols].flatMap((each) => (each ? [each.value, each.get, each.set] : []))
    return [Object.getPrototypeOf(owner), ...found]
  }

  const { defineProperty } = Reflect
  /**
   * A frozen property of a prototype would keep objects below it from having one of that name by assignment. Those that
   * scripts do give to their own objects become pairs of functions, which let them.
   */
  const letBelow = (owner: object) => {
    for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (!writable) continue
      const pair = {
        get: () => value,
        set(this: object, given: unknown) {
          if (this !== owner)
            defineProperty(this, name, { value: given, writable: true, enumerable: true, configurable: true })
        },
      }
      defineProperty(owner, name, { ...pair, enumerable: false, configurable: false })
    }
  }
  const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError]
  for (const kind of [Object, Function, ...errors]) letBelow(kind.prototype)

  const all = new Set([globalThis, ...roots, ...hidden()].filter(isObject))
  for (const owner of all) for (const part of partsOf(owner)) if (isObject(part)) all.add(part)
  for (const each of all) Object.freeze(each)
}
