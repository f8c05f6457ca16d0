import { expect, test } from 'vitest'
import { hasIsolatedVm } from '../../../../tests/harness/script-engines.ts'
import { startChild } from './child-process.ts'
import { chooseEngine } from './engines.ts'
import { childLimits } from './limits.ts'
import { readProgram } from './program.ts'
import { readAnswer } from './read-answer.ts'
import { staysIsolated } from './stays-isolated.ts'

const codeOf = (source: string): string => {
  const program = readProgram('raw', source, 'quickjs')
  if (!program.ok) throw new Error(program.message)
  return program.code
}

test.each([
  'source.value > 10n',
  '({ source }) => ({ ...source, text: helpers.upper(source.name) })',
  'const out = {}; for (const [key, value] of Object.entries(source)) out[key] = value; return out',
  'let n = 0; for (const x of source.list) n += x; return n',
  'const [a, { b = 1 } = {}, ...rest] = source; [rest[0], a.c] = [1, 2]; delete a.c; return b',
  'source.list.push(1); source.seen = true; return source',
  'function f(x) { x.y++; return x } return f({ y: 1 })',
  'try { f() } catch (error) { error.more = 1; return error.message } function f() { throw new Error("x") }',
  'return [3, 1].sort().map(String).filter(Boolean)',
])('%s stays isolated', (source) => expect(staysIsolated(codeOf(source))).toBe(true))

test.each([
  'n = 1; return n',
  'Math.random = () => 1; return 1',
  'Object.prototype.x = 1; return 1',
  'source.constructor.constructor("return 1")()',
  'source["__proto__"].x = 1; return 1',
  'delete JSON.parse; return 1',
  'for (Math.x of [1]) {} return 1',
  '[Math.x] = [1]; return 1',
  '({ a: Math.x = 2 } = {}); return 1',
  'Math.x++; return 1',
  'this.x = 1; return 1',
  'globalThis.x = 1; return 1',
  'eval("1")',
  'Object.isFrozen(Object)',
  'with (source) { return x }',
  '[].concat(1).x = 1; return 1',
])('%s does not stay isolated', (source) => expect(staysIsolated(codeOf(source))).toBe(false))

/** Scripts that try to leave state for the next call in a shared realm. Two calls must give the same result. */
const hoards = [
  'globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n ?? null',
  'n = typeof n === "undefined" ? 1 : n + 1; return typeof n',
  '(0, eval)("var n = typeof n === \'undefined\' ? 1 : n + 1"); return typeof n',
  'Array.prototype.n = [].n ? 2 : 1; return [].n ?? null',
  'Object.prototype.n = ({}).n ? 2 : 1; return ({}).n ?? null',
  'Object.prototype.toString = () => "x"; return String({})',
  'Array.prototype.push.call(Array.prototype, 1); return Array.prototype.length',
  'const f = arguments.callee; f.n = (f.n ?? 0) + 1; return f.n',
  'const f = arguments.callee.caller; if (f) f.n = (f.n ?? 0) + 1; return f ? (f.n ?? null) : 0',
  'const f = arguments.callee.caller; if (f?.prototype) f.prototype.n = f.prototype.n ? 2 : 1; return f?.prototype?.n ?? null',
  'const p = Object.getPrototypeOf(function* () {}); p.n = p.n ? 2 : 1; return p.n ?? null',
  'const p = Object.getPrototypeOf(async function* () {}); p.prototype.n = p.prototype.n ? 2 : 1; return p.prototype.n ?? null',
  'const p = Object.getPrototypeOf([].values()); p.n = p.n ? 2 : 1; return p.n ?? null',
  'const p = Object.getPrototypeOf("".matchAll(/./g)); p.n = p.n ? 2 : 1; return p.n ?? null',
  'const p = Object.getPrototypeOf([].values().map(String)); p.n = p.n ? 2 : 1; return p.n ?? null',
  'const p = Object.getPrototypeOf(Iterator.from({ next() {} })); p.n = p.n ? 2 : 1; return p.n ?? null',
  'const { set } = Object.getOwnPropertyDescriptor(Object.prototype, "toString"); if (set) set.n = set.n ? 2 : 1; return set?.n ?? null',
  'const before = RegExp.$1; /(b)/.exec("abc"); return before ?? null',
  'const before = RegExp["$&"]; /b/.exec("abc"); return before ?? null',
  'const s = Symbol.for("a"); const known = Object(s).n ?? 0; return [Symbol.keyFor(s), known]',
  'Error.stackTraceLimit = Error.stackTraceLimit === 1 ? 2 : 1; return Error.stackTraceLimit',
  'helpers.get.n = helpers.get.n ? 2 : 1; return helpers.get.n ?? null',
  'console.log("x"); console.n = console.n ? 2 : 1; return console.n ?? null',
  'Date.n = Date.n ? 2 : 1; Date.now.n = Date.now.n ? 2 : 1; return [Date.n ?? null, Date.now.n ?? null]',
  'const tag = (t) => { try { t.n = t.n ? 2 : 1 } catch {} return t.n ?? null }; return tag`a`',
  'const f = () => console.log("late"); for (let i = 0; i < 9; i++) Promise.resolve().then(f); return 1',
  'Promise.reject(new Error("late")); return 1',
  'return [Math.random(), Date.now(), new Date().getTime()]',
]

test.runIf(hasIsolatedVm)('isolated-vm: the next call does not see globals of the call before', async () => {
  const child = startChild({ ...childLimits, engine: chooseEngine('isolated-vm'), graceMs: 10_000 })
  expect(await child.started).toBeUndefined()
  const context = Buffer.from('{"source":{},"inputs":{},"providers":{}}')
  for (const source of hoards) {
    const items = [1, 2, 3].map(() => ({ bytes: context.length, nowMs: 5 }))
    const turn = { code: codeOf(source), staysIsolated: true, cpuMsMax: 5_000, turnCpuMs: 60_000, items }
    const turnResult = await child.turn(turn, [context, context, context])
    const results = turnResult.kind === 'answer' ? readAnswer(turnResult.answer, turnResult.body) : []
    expect(results, source).toHaveLength(3)
    expect(results, source).toEqual(Array(3).fill(results[0]))
  }
  await child.end()
})
