import type { Hostile } from './hostile.ts'

/** Code made from text, and code that tries to leave its wrapper. */
export const code: Hostile[] = [
  { name: 'eval that loops', source: "return eval('for (;;) {}')", failure: 'timeout' },
  { name: 'a function from text that loops', source: "return new Function('for (;;) {}')()", failure: 'timeout' },
  {
    name: 'a function from text that recurs',
    source: 'const f = () => eval("f()"); return f()',
    failure: ['throw', 'timeout', 'memory'],
  },
  { name: 'closing the wrapper', source: '})(); for (;;) {} (function () {', failure: 'syntax' },
  { name: 'closing the expression', source: '1) ; for (;;) {} ; (2', failure: 'syntax' },
  { name: 'a comment that stays open', source: 'return 1 /*', failure: 'syntax' },
  { name: 'a comment of a web page', source: 'return 1 <!-- for (;;) {}', value: 1 },
  { name: 'a line separator in a comment', source: 'return 1 //\u2028; for (;;) {}', value: 1 },
  { name: 'an import', source: "import fs from 'node:fs'", failure: 'syntax' },
  { name: 'a dynamic import', source: "import('node:fs')", failure: 'syntax' },
  { name: 'import.meta', source: 'import.meta.url', failure: 'syntax' },
  { name: 'with over the global', source: 'with (globalThis) { for (;;) {} }', failure: 'timeout' },
  {
    name: 'code of many nested functions',
    source: `return ${'(() => '.repeat(5000)}1${')()'.repeat(5000)}`,
    failure: ['throw', 'syntax', 'timeout', 'memory'],
  },
  { name: 'debugger', source: 'debugger; for (;;) { debugger }', failure: 'timeout' },
]
