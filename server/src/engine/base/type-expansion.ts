/** The names that each name refers to. */
export type References = Map<string, string[]>

const sizeMax = 2000

/**
 * Structs of an ABI and generic types of an IDL are written out wherever they are used, so thirty short lines that each
 * use the next one twice become a billion fields. A name that reaches itself never ends.
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
