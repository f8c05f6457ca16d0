import type { Hostile } from './hostile.ts'

const huge = '{ length: 2 ** 53 - 1 }'
const walk = (method: string, ...values: string[]): Hostile => ({
  name: `${method} over an object of endless length`,
  source: `return Array.prototype.${method}.call(${[huge, ...values].join(', ')})`,
  failure: ['timeout', 'memory', 'throw'],
})

/** Long loops in the engine's own functions, which ignore the deadline: some end only with their process. */
export const native: Hostile[] = [
  walk('join'),
  walk('reverse'),
  walk('copyWithin', '0', '1'),
  walk('indexOf', '1'),
  walk('lastIndexOf', '1'),
  walk('includes', '1'),
  walk('fill', '0'),
  walk('every', '() => true'),
  walk('shift'),
  walk('unshift', '1'),
  walk('splice', '0', '1'),
  walk('toSorted'),
  walk('flat'),
  { name: 'filling a sparse array', source: 'return new Array(5e8).fill(0).length', failure: ['timeout', 'memory'] },
  {
    name: 'powers of integers',
    source: 'return (3n ** 10000000n).toString().length',
    failure: ['timeout', 'memory', 'throw'],
  },
  { name: 'integers that double', source: 'let a = 3n; for (;;) a *= a', failure: ['timeout', 'memory', 'throw'] },
  {
    name: 'printing a huge integer',
    source: 'return (1n << 4000000n).toString(7).length',
    failure: ['timeout', 'memory', 'throw'],
  },
  {
    name: 'searching a long text for a long text',
    source: "const a = 'a'.repeat(4e6); return a.indexOf('a'.repeat(2e6) + 'b')",
    failure: ['timeout', 'memory'],
  },
  {
    name: 'reading large JSON again and again',
    source: "const a = '[' + '1,'.repeat(5e4) + '1]'; for (;;) JSON.parse(a)",
    failure: ['timeout', 'memory'],
  },
  {
    name: 'splitting again and again',
    source: "const a = 'ab'.repeat(1e5); for (;;) a.split('b')",
    failure: ['timeout', 'memory'],
  },
  {
    name: 'sorting what is long',
    source: 'return Array.from({ length: 1e6 }, (_, i) => -i).sort().length',
    failure: ['timeout', 'memory'],
  },
  {
    name: 'an index of endless length',
    source: 'return Reflect.ownKeys(new Uint8Array(3e7)).length',
    failure: ['timeout', 'memory'],
  },
]
