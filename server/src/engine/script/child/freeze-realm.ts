/**
 * Freezes everything in a V8 realm that a script can reach. A call can then change only the values that it creates, so one
 * realm can serve all calls of a script. `roots` are our own objects that a script can reach. The sandbox gets this function
 * as source text, so it must use nothing from outside.
 */
export function freezeRealm(roots: object[]) {
  /** Values whose prototypes have no global name. */
  const unnamedObjects = (): unknown[] => {
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
    const values = [...properties, ...symbols].flatMap((each) => (each ? [each.value, each.get, each.set] : []))
    return [Object.getPrototypeOf(owner), ...values]
  }

  const { defineProperty } = Reflect
  /**
   * An assignment to an object fails if its prototype has a frozen property of that name. Scripts do assign such names
   * (`toString`, `message`) on their own objects, so these properties become accessors that define an own property.
   */
  const allowShadowing = (owner: object) => {
    for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (!writable) continue
      const accessor = {
        get: () => value,
        set(this: object, assigned: unknown) {
          if (this !== owner)
            defineProperty(this, name, { value: assigned, writable: true, enumerable: true, configurable: true })
        },
      }
      defineProperty(owner, name, { ...accessor, enumerable: false, configurable: false })
    }
  }
  const errors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError]
  for (const kind of [Object, Function, ...errors]) allowShadowing(kind.prototype)

  const all = new Set([globalThis, ...roots, ...unnamedObjects()].filter(isObject))
  for (const owner of all) for (const part of partsOf(owner)) if (isObject(part)) all.add(part)
  for (const each of all) Object.freeze(each)
}
