import type { Hostile } from './hostile.ts'

/** Scripts with too much output, logs or jobs. */
export const floods: Hostile[] = [
  { name: 'a long result', source: "return 'x'.repeat(2e5)", failure: 'output_limit' },
  {
    name: 'a long result in characters of many bytes',
    source: "return '\\u{1f600}'.repeat(2e4)",
    failure: 'output_limit',
  },
  { name: 'a result that escaping makes long', source: "return '\\u0000'.repeat(3e4)", failure: 'output_limit' },
  {
    name: 'a result of many parts',
    source: 'return Array.from({ length: 5e4 }, (_, i) => i)',
    failure: ['output_limit', 'timeout'],
  },
  {
    name: 'a result that repeats itself',
    source: "const a = 'x'.repeat(1000); let b = [a]; for (let i = 0; i < 20; i++) b = [b, b]; return b",
    failure: ['output_limit', 'memory', 'timeout'],
  },
  { name: 'a log without end', source: "for (;;) console.log('x'.repeat(1000))", failure: 'timeout' },
  { name: 'a long log', source: "console.log('x'.repeat(1e5)); return 1", value: 1 },
  {
    name: 'a log of what cannot be shown',
    source: 'const a = {}; a.a = a; console.log(a, Symbol("s"), () => 1); return 1',
    value: 1,
  },
  { name: 'a log that loops', source: 'console.log({ toJSON() { for (;;) {} } })', failure: 'timeout' },
  { name: 'a log of many empty lines', source: 'for (;;) console.log()', failure: 'timeout' },
  {
    name: 'a million promises',
    source: 'const a = []; for (let i = 0; i < 1e6; i++) a.push(Promise.resolve(i)); return Promise.all(a)',
    failure: ['timeout', 'memory'],
  },
  {
    name: 'rejections that nobody handles',
    source: 'for (;;) Promise.reject(new Error("x"))',
    failure: ['timeout', 'memory'],
  },
  { name: 'a rejection after the answer', source: 'Promise.reject(new Error("x")); return 1', value: 1 },
  { name: 'jobs after the answer', source: 'const f = () => queueMicrotask(f); f(); return 1', value: 1 },
]
