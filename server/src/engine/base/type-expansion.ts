/** For each type name, the type names that it uses. */
export type References = Map<string, string[]>

const sizeMax = 2000

/**
 * True if a type would become too large when its uses are expanded. ABI structs and generic IDL types are expanded at every
 * use: thirty short types that each use the next one twice become a billion fields. A recursive type is infinite.
 * Cost: linear in the number of uses.
 */
export function expandsTooFar(references: References): boolean {
  const sizes = new Map<string, number>()
  return [...references.keys()].some((name) => sizeOf(name, references, sizes) > sizeMax)
}

function sizeOf(name: string, references: References, sizes: Map<string, number>): number {
  const known = sizes.get(name)
  if (known !== undefined) return known
  sizes.set(name, Number.POSITIVE_INFINITY)
  let size = 1
  for (const inner of references.get(name) ?? []) size += sizeOf(inner, references, sizes)
  sizes.set(name, size)
  return size
}
