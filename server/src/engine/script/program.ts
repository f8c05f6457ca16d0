import { type Place, readScriptForm } from '../compile/script-form.ts'
import type { ScriptContext, ScriptKind } from './index.ts'
import { limits } from './limits.ts'
import { scriptFile } from './protocol.ts'

/** A script made ready for the children, or why it cannot be. */
export type Program = { ok: true; code: string; cpuMs: number } | { ok: false; message: string; place?: Place }

const everywhere = ['source', 'input', 'inputs', 'providers', 'helpers', 'console']
const only: Partial<Record<ScriptKind, string[]>> = { human: ['raw', 'output'], provider: ['variables'] }

/**
 * A function of the context object, whose names are in scope. The tenant's code begins on the second line, and a body
 * is a function of its own, so that it may declare names as it likes.
 */
export function readProgram(kind: ScriptKind, source: string): Program {
  const script = readScriptForm(source)
  if (script.form === 'mistake') return { ok: false, message: script.message, place: script.place }
  const names = [...everywhere, ...(only[kind] ?? [])].join(', ')
  const cpuMs = kind === 'activation' ? limits.activationCpuMs : limits.cpuMs
  if (script.form === 'body')
    return { ok: true, code: `(function ({ ${names} }) { return (function () {\n${source}\n})() })`, cpuMs }
  const call = script.form === 'function' ? '(arguments[0])' : ''
  return { ok: true, code: `(function ({ ${names} }) { return (\n${source.slice(0, script.end)}\n)${call} })`, cpuMs }
}

/** Where in the tenant's source an error came from: the innermost frame of it. */
export function placeInSource(stack: string): Place | undefined {
  const [, line, column] = stack.match(placePattern) ?? []
  const place = { line: Number(line) - 1, column: Number(column) }
  return place.line > 0 ? place : undefined
}
const placePattern = new RegExp(`${scriptFile.replace('.', '\\.')}:(\\d+):(\\d+)`)

/** What a script of this kind is given; the aliases are added inside the sandbox. */
export function contextOf(kind: ScriptKind, context: ScriptContext): Buffer {
  const { source = null, inputs = {}, providers = {}, raw = null, variables = {} } = context
  const given = {
    source,
    inputs,
    providers,
    ...(kind === 'human' && { raw }),
    ...(kind === 'provider' && { variables }),
  }
  return Buffer.from(JSON.stringify(given))
}
