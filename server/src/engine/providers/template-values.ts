import { readOwn } from '../base/paths.ts'
import { splitPlaceholders } from '../base/placeholders.ts'

type Scope = { source: unknown; inputs: Record<string, unknown>; providers: Record<string, unknown> }
type Branch = Record<string, unknown>

/**
 * Sets the values of placeholders for the test of a single provider. A key is a path, with or without braces:
 * {"source.params.to": "0x…"}. A nested object is equivalent: {source: {params: {to: "0x…"}}}.
 */
export function applyTemplateValues(scope: Scope, templateValues: Record<string, unknown>): Scope {
  const root: Branch = { ...scope }
  for (const [key, value] of Object.entries(templateValues)) {
    const path = pathOf(key)
    if (path) setValue(root, path, value)
  }
  return { source: root.source, inputs: { ...copyOf(root.inputs) }, providers: { ...copyOf(root.providers) } }
}

function pathOf(key: string): string[] | undefined {
  const [piece] = splitPlaceholders(key.startsWith('{{') ? key : `{{${key}}}`)
  const segments = piece?.kind === 'placeholder' ? piece.reference?.segments : undefined
  if (!segments || segments.includes('__proto__')) return undefined
  return segments[0] === 'input' ? ['source', ...segments.slice(1)] : segments
}

/** Copies each object before it changes it, so that the caller's item stays unchanged. */
function setValue(branch: object, [name = '', ...rest]: string[], value: unknown): void {
  if (Array.isArray(branch) && !(/^\d+$/.test(name) && Number(name) <= branch.length)) return
  const before = readOwn(branch, name)
  if (rest.length > 0) {
    const inner = copyOf(before)
    setValue(inner, rest, value)
    Reflect.set(branch, name, inner)
    return
  }
  Reflect.set(branch, name, isBranch(before) && isBranch(value) ? merge(before, value) : value)
}

function merge(before: Branch, value: Branch): Branch {
  const all = { ...before }
  for (const [name, inner] of Object.entries(value)) setValue(all, [name], inner)
  return all
}

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function copyOf(value: unknown): object {
  if (Array.isArray(value)) return [...value]
  return isBranch(value) ? { ...value } : {}
}
