import { limits } from './limits.ts'
import { findPositionInSource } from './program.ts'
import type { Answer, Outcome } from './protocol.ts'
import type { ScriptLog, ScriptResult } from './script-result.ts'

/** Reads an untrusted answer: the process that sent it has run a tenant's code. Only the frame around it is trusted. */
export function readAnswer({ outcomes }: Answer, body: Buffer): ScriptResult[] {
  let at = 0
  const next = (bytes: number): string => {
    const text = body.toString('utf8', at, at + bytes)
    at += bytes
    return text
  }
  return outcomes.map((outcome) => {
    const json = outcome.kind === 'value' ? next(outcome.bytes) : ''
    const logs = outcome.logs > 0 ? readLogs(next(outcome.logs)) : []
    return outcome.kind === 'value' ? readValue(json, logs) : failureOf(outcome, logs)
  })
}

function readValue(json: string, logs: ScriptLog[]): ScriptResult {
  try {
    const value: unknown = json.includes('"__proto__"') ? JSON.parse(json, dropProto) : JSON.parse(json)
    if (!isTooDeep(value)) return { ok: true, value, logs }
  } catch {
    return { ok: false, kind: 'not_json', message: 'the result is not JSON', logs }
  }
  const message = `the result is nested deeper than ${limits.outputDepth} levels`
  return { ok: false, kind: 'not_json', message, logs }
}

/** JSON.parse makes `__proto__` an ordinary property, but a later copy of the object would change a prototype. */
function dropProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

/** The recursion stops at the limit, so it cannot overflow the stack. */
function isTooDeep(value: unknown, levels: number = limits.outputDepth): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, levels - 1))
  for (const key in value) if (isTooDeep(Reflect.get(value, key), levels - 1)) return true
  return false
}

function readLogs(json: string): ScriptLog[] {
  try {
    return JSON.parse(json)
  } catch {
    return []
  }
}

function failureOf(outcome: Exclude<Outcome, { kind: 'value' }>, logs: ScriptLog[]): ScriptResult {
  const { kind, message, stack = '' } = outcome
  return { ok: false, kind, message, ...findPositionInSource(stack), logs }
}
