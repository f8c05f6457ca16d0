import type { Issue } from '@tocsin/contract'
import { readScriptForm } from '../script/script-form.ts'

/** Checks only the syntax: a bare expression, a body with `return`, or a function of one context object. */
export function checkScript(source: string, path: string): Issue[] {
  const script = readScriptForm(source)
  if (script.form !== 'invalid') return []
  const { message, position } = script
  return [{ path, message: position ? `${message} at line ${position.line}, column ${position.column}` : message }]
}
