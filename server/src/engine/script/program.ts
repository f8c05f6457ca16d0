import type { ChildEngine } from './engines.ts'
import type { ScriptContext, ScriptKind } from './index.ts'
import { keepsToItself } from './keeps-to-itself.ts'
import { limits } from './limits.ts'
import { scriptFile } from './protocol.ts'
import { type Place, readScriptForm, type ScriptForm } from './script-form.ts'

/** A script made ready for the children, or why it cannot be. */
export type Program = ReadyProgram | { ok: false; message: string; place?: Place }
/** `keepsToItself` is read for engines that make use of it. */
export type ReadyProgram = { ok: true; code: string; keepsToItself: boolean; cpuMs: number }

const everywhere = ['source', 'input', 'inputs', 'providers', 'helpers', 'console']
const only: Partial<Record<ScriptKind, string[]>> = { human: ['raw', 'output'], provider: ['variables'] }

/**
 * A function of the context object, whose names are in scope. The tenant's code begins on the second line, and a body
 * is a function of its own, so that it may declare names as it likes.
 */
export function readProgram(kind: ScriptKind, source: string, engine: ChildEngine['name']): Program {
  const script = readScriptForm(source)
  if (script.form === 'mistake') return { ok: false, message: script.message, place: script.place }
  const names = [...everywhere, ...(only[kind] ?? [])].join(', ')
  const cpuMs = kind === 'activation' ? limits.activationCpuMs : limits.cpuMs
  const code = `(function ({ ${names} }) { return ${calledOnce(source, script)} })`
  return { ok: true, code, keepsToItself: engine === 'isolated-vm' && keepsToItself(code), cpuMs }
}

function calledOnce(source: string, script: Exclude<ScriptForm, { form: 'mistake' }>): string {
  if (script.form === 'body') return `(function () {\n${source}\n})()`
  const call = script.form === 'function' ? '(arguments[0])' : ''
  return `(\n${source.slice(0, script.end)}\n)${call}`
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
