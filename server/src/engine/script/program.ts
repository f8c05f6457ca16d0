import { mentionsAbiHelpers, withAbiHelpers } from './abi/index.ts'
import { mentionsAmountHelpers, type ScriptNetwork, withAmountHelpers } from './amounts/index.ts'
import { limits } from './limits.ts'
import { scriptFile } from './protocol.ts'
import { readScriptForm, type ScriptForm, type SourcePosition } from './script-form.ts'

export type ScriptKind = 'activation' | 'raw' | 'human' | 'source' | 'provider'
export type ScriptContext = {
  source: unknown
  inputs?: unknown
  providers?: unknown
  /** For `human` only. */
  raw?: unknown
  /** For `provider` only. */
  variables?: unknown
  /** For the helpers that show links and tokens. Scripts cannot read it. */
  network?: ScriptNetwork | undefined
}

/** A script in the form that the children evaluate, or the reason why it is invalid. */
export type Program = ReadyProgram | { ok: false; message: string; position?: SourcePosition }
export type ReadyProgram = { ok: true; code: string; cpuMs: number }

const namesOfAllKinds = ['source', 'input', 'inputs', 'providers', 'helpers', 'console']
const namesByKind: Partial<Record<ScriptKind, string[]>> = { human: ['raw', 'output'], provider: ['variables'] }

/**
 * Wraps the source into a function that takes the context object and has its fields in scope. The tenant's code begins on
 * the second line. A body gets a function of its own, so that it can declare any name.
 */
export function readProgram(kind: ScriptKind, source: string): Program {
  const script = readScriptForm(source)
  if (script.form === 'invalid') return { ok: false, message: script.message, position: script.position }
  const names = [...namesOfAllKinds, ...(namesByKind[kind] ?? [])].join(', ')
  const cpuMs = kind === 'activation' ? limits.activationCpuMs : limits.cpuMs
  const plain = `(function ({ ${names} }) { return ${callOnce(source, script)} })`
  const shown = mentionsAmountHelpers(source) ? withAmountHelpers(plain) : plain
  const code = mentionsAbiHelpers(source) ? withAbiHelpers(shown) : shown
  return { ok: true, code, cpuMs }
}

function callOnce(source: string, script: Exclude<ScriptForm, { form: 'invalid' }>): string {
  if (script.form === 'body') return `(function () {\n${source}\n})()`
  const call = script.form === 'function' ? '(arguments[0])' : ''
  return `(\n${source.slice(0, script.end)}\n)${call}`
}

/** Returns the innermost position of an error's stack in the tenant's source. */
export function findPositionInSource(stack: string): SourcePosition | undefined {
  const [, line, column] = stack.match(positionPattern) ?? []
  const position = { line: Number(line) - 1, column: Number(column) }
  return position.line > 0 ? position : undefined
}
const positionPattern = new RegExp(`${scriptFile.replace('.', '\\.')}:(\\d+):(\\d+)`)

/** Serializes the context fields of this kind of script. The sandbox adds the aliases `input` and `output`. */
export function serializeContext(kind: ScriptKind, context: ScriptContext): Buffer {
  const { source = null, inputs = {}, providers = {}, raw = null, variables = {}, network } = context
  const fields = {
    source,
    inputs,
    providers,
    ...(kind === 'human' && { raw }),
    ...(kind === 'provider' && { variables }),
    ...(network && { network }),
  }
  return Buffer.from(JSON.stringify(fields))
}
