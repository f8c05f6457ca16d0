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
