import type { DefinitionDiff } from '@tocsin/contract'
import { mapScalars, type Path, parsePath } from '../folder/paths.ts'
import type { LocalEntity } from '../folder/read-folder.ts'
import { type Env, variable } from '../folder/variables.ts'

/** Replaces the values of the folder's variables by their names. A plan never prints a secret. */
export function secretHider(entities: readonly LocalEntity[], env: Env): (text: string) => string {
  const names = [...new Set(entities.flatMap(({ variables }) => variables.map(({ name }) => name)))]
  const values = names.flatMap((name) => (env[name] ? [{ name, value: env[name] }] : []))
  // The longest first: a value may be a part of another.
  const inOrder = values.toSorted((a, b) => b.value.length - a.value.length)
  return (text) => inOrder.reduce((hidden, { name, value }) => hidden.replaceAll(value, variable(name)), text)
}

/** The differences of an entity without secrets: also the value before, where the file now has a variable. */
export function hideInDiff(
  diff: readonly DefinitionDiff[],
  entity: LocalEntity | undefined,
  hide: (text: string) => string,
): DefinitionDiff[] {
  const secretPaths = entity?.variables.map(({ path }) => path) ?? []
  return diff.map(({ path, from, to }) => {
    const isSecret = secretPaths.some((secret) => overlap(secret, parsePath(path)))
    const withNames = (value: unknown) => mapScalars(value, (scalar) => hideScalar(scalar, hide))
    return { path, from: isSecret && from !== null ? hidden : withNames(from), to: withNames(to) }
  })
}

const hidden = '(hidden)'

function hideScalar(scalar: unknown, hide: (text: string) => string): unknown {
  return typeof scalar === 'string' ? hide(scalar) : scalar
}

function overlap(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((key, index) => String(key) === String(other[index]))
}
