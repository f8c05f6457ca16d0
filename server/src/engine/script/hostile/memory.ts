import type { Hostile } from './hostile.ts'

const grows = (name: string, source: string): Hostile => ({ name, source, failure: ['memory', 'timeout', 'throw'] })

/** Scripts that allocate without end, by every kind of value. */
export const memory: Hostile[] = [
  grows('strings', "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)"),
  grows('a string that doubles', "let a = 'x'; for (;;) a += a"),
  grows('padding', "return 'x'.padEnd(2 ** 30 - 1).length + 'x'.repeat(2 ** 30 - 1).length"),
  grows('arrays', 'const a = []; for (;;) a.push(new Array(1000).fill(a.length))'),
  grows('an array of a billion', 'return Array.from({ length: 1e9 }).length'),
  grows('spreading', 'let a = [1]; for (;;) a = [...a, ...a]'),
  grows('arguments of a call', 'return Math.max.apply(null, { length: 1e8 })'),
  grows('maps', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })'),
  grows('sets', 'const s = new Set(); for (let i = 0; ; i++) s.add(String(i))'),
  grows('weak maps', 'const m = new WeakMap(), k = []; for (;;) { k.push({}); m.set(k.at(-1), [1, 2, 3]) }'),
  grows('typed arrays', 'const a = []; for (;;) a.push(new Uint8Array(1e6))'),
  grows('one typed array', 'return new Float64Array(1e9).length'),
  grows(
    'resizable buffers',
    'const a = new ArrayBuffer(1, { maxByteLength: 2 ** 30 }); a.resize(2 ** 30); return a.byteLength',
  ),
  grows('properties', 'const o = {}; for (let i = 0; ; i++) o["k" + i] = i'),
  grows('closures', 'let f = () => 0; for (;;) { const g = f; f = () => g() + 1 }'),
  grows('symbols', 'const a = []; for (;;) a.push(Symbol(String(a.length)))'),
  grows('regular expressions', "const a = []; for (;;) a.push(new RegExp('a'.repeat(1e4) + a.length))"),
  grows('functions from text', 'const a = []; for (;;) a.push(new Function("return " + a.length))'),
  grows('errors with long chains', 'let e = new Error("x"); for (;;) e = new Error("x".repeat(1000), { cause: e })'),
  grows(
    'generators kept open',
    'const a = []; for (;;) { const g = (function* () { yield [1, 2, 3] })(); g.next(); a.push(g) }',
  ),
  grows(
    'catching that memory is used up',
    'const a = []; for (;;) { try { for (;;) a.push(new Array(1e5).fill(1)) } catch {} }',
  ),
  grows('a matrix by matching', "return 'a'.repeat(1e6).match(/a/g).map((x) => x.repeat(1000)).length"),
]
