import type { ScriptLog, ScriptResult } from './index.ts'
import { limits } from './limits.ts'
import { placeInSource } from './program.ts'
import type { Answer, Outcome } from './protocol.ts'

/** Nothing in an answer is trusted but its frame: the process that sent it ran somebody's code. */
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
    const value: unknown = json.includes('"__proto__"') ? JSON.parse(json, withoutProto) : JSON.parse(json)
    if (!isTooDeep(json)) return { ok: true, value, logs }
  } catch {
    return { ok: false, kind: 'not_json', message: 'the result is not JSON', logs }
  }
  const message = `the result is nested deeper than ${limits.outputDepth} levels`
  return { ok: false, kind: 'not_json', message, logs }
}

/** JSON makes it an ordinary property, but whoever copies it later would change a prototype. */
function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

/** Brackets outside of strings, counted: cheaper than walking the value, and no stack to overflow. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) isText = !isText
    else if (isText && code === backslash) at++
    else if (isText) continue
    else if (code === openBracket || code === openBrace) depth++
    else if (code === closeBracket || code === closeBrace) depth--
    if (depth > limits.outputDepth) return true
  }
  return false
}
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125]

function readLogs(json: string): ScriptLog[] {
  try {
    return JSON.parse(json)
  } catch {
    return []
  }
}

function failureOf(outcome: Exclude<Outcome, { kind: 'value' }>, logs: ScriptLog[]): ScriptResult {
  const { kind, message, stack = '' } = outcome
  return { ok: false, kind, message, ...placeInSource(stack), logs }
}
