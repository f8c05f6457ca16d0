import type { Answer, Outcome, Turn } from '../protocol.ts'
import { cpuMs } from './cpu-clock.ts'
import type { Called, Engine } from './engine.ts'

/** Runs items until the turn's time is used up or one goes over a limit: at least one, so that every turn gets on. */
export function takeTurn(engine: Engine, turn: Turn, contexts: Buffer): { answer: Answer; parts: Uint8Array[] } {
  const began = cpuMs()
  const loaded = engine.load(turn.code, turn.cpuMsMax)
  const outcomes: Outcome[] = []
  const parts: Uint8Array[] = []
  let at = 0
  for (const item of turn.items) {
    if (outcomes.length > 0 && cpuMs() - began > turn.turnCpuMs) break
    const context = contexts.subarray(at, at + item.bytes)
    const called: Called = loaded.kind === 'loaded' ? loaded.call(context, item.nowMs, turn.cpuMsMax) : loaded
    outcomes.push(outcomeOf(called))
    if (called.kind === 'value') parts.push(called.json)
    if (called.logs) parts.push(called.logs)
    if (called.kind === 'timeout' || called.kind === 'memory' || called.kind === 'crash') break
    at += item.bytes
  }
  return { answer: { outcomes, rssBytes: process.memoryUsage.rss() }, parts }
}

function outcomeOf(called: Called): Outcome {
  const logs = called.logs?.length ?? 0
  if (called.kind === 'value') return { kind: 'value', bytes: called.json.length, logs }
  const { kind, message, stack } = called
  return { kind, message, stack, logs }
}
