import type { Hostile } from './hostile.ts'

const find = (name: string, source: string): Hostile => ({ name, source, value: [] })

/** Escapes that worked in other sandboxes. Each returns what it found, which must be nothing. */
export const escapes: Hostile[] = [
  find(
    'names of the host',
    "return ['process', 'require', 'module', 'global', 'Buffer', 'fetch', 'setTimeout', 'WebAssembly', 'Deno', 'Bun', 'XMLHttpRequest', 'Atomics', 'std', 'os', 'scriptArgs', 'print', 'load', 'performance', 'crypto', 'navigator'].filter((name) => name in globalThis)",
  ),
  find(
    'the constructor of a constructor',
    "const F = source.constructor.constructor; return ['process', 'require'].filter((name) => F('return typeof ' + name)() !== 'undefined')",
  ),
  find(
    'the constructor of a helper',
    "const F = helpers.get.constructor; return ['process', 'require'].filter((name) => F('return typeof ' + name)() !== 'undefined')",
  ),
  find(
    'the constructor of the console',
    "const F = console.log.constructor; return Object.keys(F('return this')()).filter((name) => name === 'process')",
  ),
  find(
    'async and generator constructors',
    "async () => { const F = (async () => {}).constructor; return (await F('return typeof process')()) === 'undefined' ? [] : ['process'] }",
  ),
  find(
    'the frames of an error',
    'Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error("x"); Error.prepareStackTrace = undefined; return Array.isArray(stack) ? stack.map((frame) => frame.getThis?.()).filter((self) => self && self.process) : []',
  ),
  find(
    'the caller',
    'const f = function () { return [f.caller, f.arguments].filter((x) => typeof x === "function" && x.toString().includes("context" + ".helpers")) }; try { return f() } catch { return [] }',
  ),
  find(
    'our own code by a stack',
    "let text = ''; try { null.x } catch (e) { text = e.stack } return text.includes('/') ? [text] : []",
  ),
  find(
    'a prototype of the context',
    'const own = Object.getPrototypeOf(source) === Object.prototype && Object.getPrototypeOf(inputs) === Object.prototype; return own ? [] : ["foreign"]',
  ),
  find(
    'the global of another realm',
    'return Object.getOwnPropertyNames(globalThis).filter((name) => globalThis[name] && globalThis[name].process)',
  ),
  find(
    'symbols of the host',
    "return Object.getOwnPropertySymbols(globalThis).filter((symbol) => String(symbol).includes('node'))",
  ),
  find(
    'a thief in JSON',
    'const seen = []; JSON.stringify = (value) => { seen.push(value); return "null" }; JSON.parse = () => ({}); return seen',
  ),
  find(
    'a thief in promises',
    'const seen = []; Promise.prototype.then = function (f) { seen.push(f); return this }; return (async () => seen)()',
  ),
  find(
    'a thief in strings',
    'const seen = []; String.prototype.slice = function () { seen.push(this); return "" }; console.log("x"); return seen',
  ),
  find(
    'a thief in setters',
    'const seen = []; Object.defineProperty(Object.prototype, "value", { set(x) { seen.push(x) }, configurable: true }); ({}).value; return seen',
  ),
  find('a module by a function', "return new Function('return import(\"node:fs\")')().then(() => ['fs'], () => [])"),
  find('a module by eval', "return (0, eval)('import(\"./guest.ts\")').then(() => ['guest'], () => [])"),
]
