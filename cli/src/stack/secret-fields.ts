import type { DefinitionKind } from '@tocsin/contract'
import type { Path } from '../folder/paths.ts'

/**
 * True for the texts that a plan hides: the data of a resource, the endpoints of a source, and the headers and query of a
 * provider. A text that names a secret of the project has no secret in it.
 */
export function isSecretField(kind: DefinitionKind, path: Path, value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (kind === 'resource') return path[0] === 'data'
  if (kind === 'source') return path[0] === 'endpoints'
  if (kind !== 'trigger' || path[0] !== 'providers' || value.includes('{{secrets.')) return false
  return path[2] === 'headers' || path[2] === 'queryParams' || (path[2] === 'url' && value.includes('?'))
}

/** A name for the variable of a secret: `ACME_HOOK_URL`. Names that are taken get a number. */
export function variableName(fullname: string, path: Path, taken: ReadonlySet<string>): string {
  const fields = path.filter((key) => key !== 'data' && key !== 'providers' && key !== 'headers')
  const text = [fullname, ...fields]
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
  const name = /^[A-Z]/.test(text) ? text : `_${text}`
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}_${number}`)) number++
  return `${name}_${number}`
}
