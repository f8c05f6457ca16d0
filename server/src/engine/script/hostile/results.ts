import type { Hostile } from './hostile.ts'

/** Results that run code, or that try to harm the reader. */
export const results: Hostile[] = [
  { name: 'a thenable that never settles', source: 'return { then() {} }', failure: 'not_json' },
  { name: 'a thenable that loops', source: 'return { then() { for (;;) {} } }', failure: 'timeout' },
  {
    name: 'a thenable that gives itself',
    source: 'const t = { then(done) { done(t) } }; return t',
    failure: ['timeout', 'memory'],
  },
  {
    name: 'a thenable that settles twice',
    source: 'return { then(done, fail) { done(1); fail(2); done(3) } }',
    value: 1,
  },
  { name: 'a getter named then', source: 'return { get then() { for (;;) {} } }', failure: 'timeout' },
  { name: 'a getter that loops', source: 'return { get a() { for (;;) {} } }', failure: 'timeout' },
  { name: 'a getter that throws', source: 'return { get a() { throw new Error("no") } }', failure: 'throw' },
  { name: 'toJSON that loops', source: 'return { toJSON() { for (;;) {} } }', failure: 'timeout' },
  {
    name: 'toJSON that gives itself',
    source: 'const o = { toJSON() { return { o } } }; return o',
    failure: ['not_json', 'throw', 'memory', 'timeout'],
  },
  {
    name: 'toJSON that throws what cannot be shown',
    source: 'return { toJSON() { throw { get message() { throw 1 }, toJSON() { throw 2 } } } }',
    failure: 'throw',
  },
  {
    name: 'a proxy whose keys never end',
    source: 'return new Proxy({}, { ownKeys() { for (;;) {} } })',
    failure: 'timeout',
  },
  {
    name: 'a proxy that claims many keys',
    source: 'return new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 32 - 1 : 1) })',
    failure: ['timeout', 'memory', 'throw', 'output_limit'],
  },
  {
    name: 'a revoked proxy',
    source: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy',
    failure: 'throw',
  },
  {
    name: 'an array that lies about its length',
    source: 'const a = []; a.length = 2 ** 32 - 1; return a',
    failure: ['timeout', 'memory', 'throw', 'output_limit'],
  },
  {
    name: 'a key named __proto__',
    source: 'return JSON.parse(\'{"__proto__":{"admin":true},"a":{"__proto__":1,"b":2}}\')',
    value: { a: { b: 2 } },
  },
  {
    name: 'a key named __proto__, escaped',
    source: 'return JSON.parse(\'{"\\\\u005f_proto__":{"admin":true},"a":1}\')',
    value: { a: 1 },
  },
  {
    name: 'a key named constructor',
    source: 'return { constructor: { prototype: { admin: true } } }',
    value: { constructor: { prototype: { admin: true } } },
  },
  {
    name: 'JSON that is no JSON',
    source: 'return JSON.rawJSON ? { a: JSON.rawJSON("1e1000") } : { a: null }',
    value: { a: null },
  },
  {
    name: 'an error that loops when it is read',
    source: 'throw { get message() { for (;;) {} }, get name() { for (;;) {} }, toJSON() { for (;;) {} } }',
    failure: 'timeout',
  },
  {
    name: 'an error whose stack is a trap',
    source: 'const e = new Error("x"); Object.defineProperty(e, "stack", { get() { for (;;) {} } }); throw e',
    failure: 'timeout',
  },
  {
    name: 'an error with a stack of its own',
    source: 'const e = new Error("x"); e.stack = "at script.js:" + "9".repeat(1e6) + ":1"; throw e',
    failure: 'throw',
  },
  { name: 'an error of a megabyte', source: 'throw new Error("x".repeat(1e6))', failure: 'throw' },
]
