import type { Hostile } from './hostile.ts'

/** Endless loops in the script's own code. */
export const endless: Hostile[] = [
  { name: 'an empty loop', source: 'while (true) {}', failure: 'timeout' },
  { name: 'a loop that catches everything', source: 'for (;;) { try { for (;;) {} } catch {} }', failure: 'timeout' },
  { name: 'a loop in finally', source: 'try { for (;;) {} } finally { for (;;) {} }', failure: 'timeout' },
  { name: 'a loop by labels', source: 'a: for (;;) { b: for (;;) { continue a } }', failure: 'timeout' },
  { name: 'an endless generator', source: 'return [...(function* () { for (;;) yield* [] })()]', failure: 'timeout' },
  {
    name: 'an iterator that never ends',
    source: 'for (const x of { [Symbol.iterator]: () => ({ next: () => ({}) }) }) {}',
    failure: 'timeout',
  },
  { name: 'an async loop', source: 'async () => { for (;;) await null }', failure: 'timeout' },
  {
    name: 'an async generator loop',
    source: 'async () => { for await (const x of (async function* () { for (;;) yield 1 })()) {} }',
    failure: 'timeout',
  },
  {
    name: 'promises that make promises',
    source: 'const f = () => Promise.resolve().then(f); return f()',
    failure: ['timeout', 'memory'],
  },
  {
    name: 'microtasks that make microtasks',
    source: 'const f = () => queueMicrotask(f); f(); return new Promise(() => {})',
    failure: 'timeout',
  },
  {
    name: 'a loop after the answer is a promise',
    source: 'return Promise.resolve(1).then(() => { for (;;) {} })',
    failure: 'timeout',
  },
  {
    name: 'a comparator that sorts forever',
    source: 'return [3, 2, 1].sort(() => { for (;;) {} })',
    failure: 'timeout',
  },
  {
    name: 'a replacer that never returns',
    source: "return 'x'.replace('x', () => { for (;;) {} })",
    failure: 'timeout',
  },
  {
    name: 'an expression with an exponential number of paths',
    source: "return /(a+)+$/.test('a'.repeat(60) + 'b')",
    failure: 'timeout',
  },
  {
    name: 'nested quantifiers with a back-reference',
    source: "return /^(([a-z])+.)+\\2[A-Z]([a-z])+$/.test('a'.repeat(200))",
    failure: 'timeout',
  },
  { name: 'alternatives that overlap', source: "return /(a|aa|aaa)*c/.exec('a'.repeat(200))", failure: 'timeout' },
  { name: 'lookaheads that multiply', source: "return /(?=(a*)*b)/.test('a'.repeat(60))", failure: 'timeout' },
]
