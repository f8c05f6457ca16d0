import type { Hostile } from './hostile.ts'

const deep = (name: string, source: string): Hostile => ({
  name,
  source,
  failure: ['throw', 'memory', 'timeout', 'not_json', 'syntax', 'output_limit'],
})

/** Endless depth of calls, values or code. */
export const recursion: Hostile[] = [
  deep('a function of itself', 'const f = () => f(); return f()'),
  deep('functions of one another', 'const f = () => g() + 1, g = () => f() + 1; return f()'),
  deep('calls in finally', 'const f = () => { try { f() } finally { f() } }; return f()'),
  deep('calls by getters', 'const o = { get a() { return this.a } }; return o.a'),
  deep('calls by conversion', 'const o = { toString() { return "" + o } }; return "" + o'),
  deep('calls by proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x ?? p[0].y'),
  deep(
    'calls by bound functions',
    'let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); return f() + nothing',
  ),
  deep('a deep result', 'let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return a'),
  deep('deep JSON', "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))"),
  deep('deep code', "return eval('('.repeat(1e5) + ')'.repeat(1e5))"),
  deep('a deep expression', "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5))"),
  deep('sorting that sorts', 'const f = () => [2, 1].sort(f); return f()'),
  deep('a deep chain of prototypes', 'let o = {}; for (let i = 0; i < 1e6; i++) o = Object.create(o); return o.x.y'),
]
