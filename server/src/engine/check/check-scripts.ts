import type { Issue } from '@tocsin/contract'
import { readScriptForm } from '../script/script-form.ts'

/** Syntax only, nothing runs: a bare expression, a body with `return`, or a function of one context object. */
export function checkScript(source: string, path: string): Issue[] {
  const script = readScriptForm(source)
  if (script.form !== 'mistake') return []
  const { message, place } = script
  return [{ path, message: place ? `${message} at line ${place.line}, column ${place.column}` : message }]
}
