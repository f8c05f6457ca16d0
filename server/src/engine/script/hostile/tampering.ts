import type { Hostile } from './hostile.ts'

/** Changes to globals and built-ins, which no later call must see. */
export const tampering: Hostile[] = [
  {
    name: 'every prototype emptied',
    source:
      'const all = [Object, Array, String, Number, Promise, Map, RegExp, Date, BigInt, Function, Error], keys = Reflect.ownKeys; for (let i = 0; i < all.length; i++) { const own = keys(all[i].prototype); for (let j = 0; j < own.length; j++) if (own[j] !== "prototype") delete all[i].prototype[own[j]] } return 1',
    value: 1,
  },
  {
    name: 'every global removed',
    source: 'const g = globalThis; for (const key of Reflect.ownKeys(g)) delete g[key]; return 2',
    value: 2,
  },
  {
    name: 'every global frozen',
    source: 'Object.freeze(globalThis); Object.freeze(Object.prototype); return 3',
    value: 3,
  },
  {
    name: 'JSON replaced',
    source: 'JSON.parse = JSON.stringify = () => { throw new Error("no") }; globalThis.JSON = null; return 4',
    value: 4,
  },
  { name: 'the clock replaced', source: 'Date.now = () => 0; globalThis.Date = class {}; return 5', value: 5 },
  { name: 'chance replaced', source: 'Math.random = () => 0.5; return 6', value: 6 },
  { name: 'toJSON on every object', source: 'Object.prototype.toJSON = () => "mine"; return { a: 7 }', value: 'mine' },
  { name: 'toJSON of integers replaced', source: 'BigInt.prototype.toJSON = () => 8; return 9n', value: 8 },
  {
    name: 'setters on every object',
    source:
      'for (const key of ["source", "input", "helpers", "ok", "logs", "then"]) Object.defineProperty(Object.prototype, key, { set() { for (;;) {} }, get() { return undefined } }); return { a: 1 }',
    value: { a: 1 },
  },
  {
    name: 'then on every object',
    source: 'Object.prototype.then = function (done) { done(9) }; return {}',
    value: 9,
  },
  {
    name: 'helpers changed',
    source: 'try { helpers.upper = () => "x" } catch {} helpers.upper.call = null; return helpers.upper("a")',
    value: 'A',
  },
  {
    name: 'the context changed',
    source: 'source.a = 5; inputs.b = 6; providers.c = 7; return [source.a, inputs.b, providers.c]',
    value: [5, 6, 7],
  },
  {
    name: 'a hoard for later',
    source: 'globalThis.hoard = (globalThis.hoard ?? []).concat(source); return globalThis.hoard.length',
    value: 1,
  },
  {
    name: 'a symbol registered for later',
    source: 'const key = Symbol.for("later"); const seen = globalThis[key]; globalThis[key] = 1; return seen ?? null',
    value: null,
  },
]
