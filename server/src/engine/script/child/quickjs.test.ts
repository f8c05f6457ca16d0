import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../limits.ts'
import { readProgram } from '../program.ts'
import { capMemory } from './cap-memory.ts'
import type { Engine } from './engine.ts'
import { type CachedScript, makeScriptCache, startQuickjs } from './quickjs.ts'

const wasm = readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'))
const module = new WebAssembly.Module(capMemory(wasm, limits.memoryPages))

/** The memory of every instance, and how often scripts were compiled. */
let memories: WebAssembly.Memory[] = []
let compiled = 0
let engine: Engine

beforeEach(() => {
  const { Instance } = WebAssembly
  memories = []
  compiled = 0
  vi.stubGlobal('WebAssembly', {
    ...WebAssembly,
    Instance: function observe(wasmModule: WebAssembly.Module, imports: WebAssembly.Imports) {
      const { exports } = new Instance<{ memory: WebAssembly.Memory; qjs_eval(...values: number[]): number }>(
        wasmModule,
        imports,
      )
      memories.push(exports.memory)
      const qjs_eval = (...values: number[]) => {
        compiled++
        return exports.qjs_eval(...values)
      }
      return { exports: { ...exports, qjs_eval } }
    },
  })
  engine = startQuickjs(module, () => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function call(source: string, context: unknown): string {
  const program = readProgram('raw', source)
  const loaded = program.ok ? engine.load(program.code, 1_000) : undefined
  if (loaded?.kind !== 'loaded') throw new Error(`${source} does not load`)
  const called = loaded.call(Buffer.from(JSON.stringify({ source: context })), 0, 1_000)
  return called.kind === 'value' ? Buffer.from(called.json).toString() : called.message
}

const countIn = (text: string) => memories.filter(({ buffer }) => Buffer.from(buffer).includes(text)).length

test('hundreds of scripts that are used in turn are compiled once each', () => {
  const numbers = Array.from({ length: 300 }, (_, number) => number)
  for (const round of [1, 2]) {
    const values = numbers.map((number) => call(`[${number}, source.seen]`, { seen: round }))
    expect(values).toEqual(numbers.map((number) => `[${number},${round}]`))
  }
  expect(compiled).toBe(300)
})

test('the memory has no byte of a script or its context when the next script runs', () => {
  const own = 'globalThis.left = source.secret + "!"; return left.padEnd(50000, "wide")'
  expect(call(own, { secret: 'walrus' })).toContain('walrus!wide')
  expect(countIn('walrus')).toBe(1)
  expect(call('[typeof left, source.other]', { other: 'heron' })).toBe('["undefined","heron"]')
  expect([countIn('walrus'), countIn('idewid'), countIn('globalThis.left'), countIn('heron')]).toEqual([0, 0, 0, 1])
})

test('a script starts from its loaded state after other scripts of other sizes ran', () => {
  const large = `const list = [${Array.from({ length: 5_000 }, (_, at) => `"${at}x"`)}]; return list.push(source.n)`
  const counter = 'globalThis.count = (globalThis.count ?? 0) + source.n; return count'
  for (let round = 0; round < 3; round++) {
    expect(call(counter, { n: 2 })).toBe('2')
    expect(call(large, { n: 1 })).toBe('5001')
    expect(call('new Array(source.n).fill("grow").join("").length', { n: 500_000 })).toBe('2000000')
  }
  expect(compiled).toBe(3)
})

test('the cache drops the scripts that were used least recently when it is full', () => {
  const cache = makeScriptCache(100_000)
  const script = (bytes: number): CachedScript => {
    const [runs, tail] = [new Uint32Array(), new Uint8Array()]
    return { script: 1, patches: { runs, tail, bytes: new Uint8Array(bytes), heapBytes: 0, size: 0 } }
  }
  for (const code of ['a', 'b', 'c']) cache.keep(code, script(30_000))
  cache.keep('a', script(30_000))
  cache.keep('d', script(30_000))
  expect(['a', 'b', 'c', 'd'].filter((code) => cache.get(code))).toEqual(['a', 'c', 'd'])
  cache.keep('huge', script(500_000))
  expect(['a', 'c', 'd', 'huge'].filter((code) => cache.get(code))).toEqual(['huge'])
})
