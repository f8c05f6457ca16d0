import { readOwn } from '../base/paths.ts'
import { splitPlaceholders } from '../base/placeholders.ts'

type Scope = { source: unknown; inputs: Record<string, unknown>; providers: Record<string, unknown> }
type Branch = Record<string, unknown>

/**
 * Values for the placeholders of a provider that is tried out by itself. Keys are paths, as they stand between the
 * braces or with them: {"source.params.to": "0x…"}; a nested object says the same: {source: {params: {to: "0x…"}}}.
 */
export function applyTemplateValues(scope: Scope, templateValues: Record<string, unknown>): Scope {
  const root: Branch = { ...scope }
  for (const [key, value] of Object.entries(templateValues)) {
    const path = pathOf(key)
    if (path) put(root, path, value)
  }
  return { source: root.source, inputs: { ...copyOf(root.inputs) }, providers: { ...copyOf(root.providers) } }
}

function pathOf(key: string): string[] | undefined {
  const [piece] = splitPlaceholders(key.startsWith('{{') ? key : `{{${key}}}`)
  const segments = piece?.kind === 'placeholder' ? piece.reference?.segments : undefined
  if (!segments || segments.includes('__proto__')) return undefined
  return segments[0] === 'input' ? ['source', ...segments.slice(1)] : segments
}

/** Copies what it changes: the item that was given stays as it is. */
function put(branch: object, [name = '', ...rest]: string[], value: unknown): void {
  if (Array.isArray(branch) && !(/^\d+$/.test(name) && Number(name) <= branch.length)) return
  const before = readOwn(branch, name)
  if (rest.length > 0) {
    const inner = copyOf(before)
    put(inner, rest, value)
    Reflect.set(branch, name, inner)
    return
  }
  Reflect.set(branch, name, isBranch(before) && isBranch(value) ? merged(before, value) : value)
}

function merged(before: Branch, value: Branch): Branch {
  const all = { ...before }
  for (const [name, inner] of Object.entries(value)) put(all, [name], inner)
  return all
}

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function copyOf(value: unknown): object {
  if (Array.isArray(value)) return [...value]
  return isBranch(value) ? { ...value } : {}
}
