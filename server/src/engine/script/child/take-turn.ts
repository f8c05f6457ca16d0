import type { Answer, Outcome, Turn } from '../protocol.ts'
import { cpuMs } from './cpu-clock.ts'
import type { CallResult, Engine } from './engine.ts'

/** Runs items until the turn's CPU time is used up or an item exceeds a limit. It runs at least one, so that every turn makes progress. */
export function takeTurn(engine: Engine, turn: Turn, contexts: Buffer): { answer: Answer; parts: Uint8Array[] } {
  const startedCpuMs = cpuMs()
  const loaded = engine.load(turn.code, turn.cpuMsMax)
  const outcomes: Outcome[] = []
  const parts: Uint8Array[] = []
  let at = 0
  for (const item of turn.items) {
    if (outcomes.length > 0 && cpuMs() - startedCpuMs > turn.turnCpuMs) break
    const context = contexts.subarray(at, at + item.bytes)
    const result: CallResult = loaded.kind === 'loaded' ? loaded.call(context, item.nowMs, turn.cpuMsMax) : loaded
    outcomes.push(outcomeOf(result))
    if (result.kind === 'value') parts.push(result.json)
    if (result.logs) parts.push(result.logs)
    if (result.kind === 'timeout' || result.kind === 'memory' || result.kind === 'crash') break
    at += item.bytes
  }
  return { answer: { outcomes, rssBytes: readRss() }, parts }
}

function outcomeOf(result: CallResult): Outcome {
  const logs = result.logs?.length ?? 0
  if (result.kind === 'value') return { kind: 'value', bytes: result.json.length, logs }
  const { kind, message, stack } = result
  return { kind, message, stack, logs }
}

const rssReadEveryMs = 20
let rss = { bytes: 0, readAtMs: Number.NEGATIVE_INFINITY }

/** Reading the memory costs as much as a short call of a script, so turns that follow each other closely share a reading. */
function readRss(): number {
  const nowMs = performance.now()
  if (nowMs - rss.readAtMs >= rssReadEveryMs) rss = { bytes: process.memoryUsage.rss(), readAtMs: nowMs }
  return rss.bytes
}

const code = `(function ({ source, helpers }) {
  const list = Object.entries(source).map(([name, value]) => name + ':' + value).sort()
  const text = list.join().replace(/a(\\d+)/g, (_, digits) => digits.toUpperCase()).split(',')
  const units = helpers.parseUnits(helpers.formatUnits(source.a1, 18), 6) * 3n
  return Promise.resolve({ text, units, at: new Date(source.b2).toISOString(), real: source.b2 / 3 })
})`
const context = JSON.stringify({ source: { a1: '123456789012345678901', b2: 1_700_000_000_000, c: null } })

/** V8 compiles WebAssembly at first use. This call does it before the first tenant's CPU time counts. */
export function warmUp(engine: Engine): void {
  const loaded = engine.load(code, 1_000)
  const called = loaded.kind === 'loaded' ? loaded.call(Buffer.from(context), 0, 1_000) : loaded
  if (called.kind !== 'value') throw new Error(`the script engine does not work: ${called.message}`)
}
