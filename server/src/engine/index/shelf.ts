import type { Decoded } from './entry-list.ts'
import type { Found } from './found.ts'
import type { Holding } from './holding.ts'
import { collectFrom } from './holdings.ts'

/** One part of an entry's keys; undefined is the wildcard. */
export type Part = string | undefined

/** Entries by their keys, one level of the tree for each part of them, so that a wildcard costs one more step. */
export type Tree<Raw, T extends Decoded> = Shelf<Raw, T> | Holding<Raw, T>
type Shelf<Raw, T extends Decoded> = { by: 'key'; any: Tree<Raw, T> | undefined; named: Map<string, Tree<Raw, T>> }

/** Changes what stands under such keys; of what is then empty nothing is left. */
export function changeAt<Raw, T extends Decoded>(
  tree: Tree<Raw, T> | undefined,
  parts: readonly Part[],
  change: (first: Holding<Raw, T> | undefined) => Holding<Raw, T> | undefined,
): Tree<Raw, T> | undefined {
  if (parts.length === 0) return change(tree?.by === 'key' ? undefined : tree)
  const [part, ...deeper] = parts
  const shelf: Shelf<Raw, T> = tree?.by === 'key' ? tree : { by: 'key', any: undefined, named: new Map() }
  const inner = changeAt(part === undefined ? shelf.any : shelf.named.get(part), deeper, change)
  if (part === undefined) shelf.any = inner
  else if (inner) shelf.named.set(part, inner)
  else shelf.named.delete(part)
  return shelf.any || shelf.named.size > 0 ? shelf : undefined
}

/** How an item is looked up. */
export type Lookup<Raw> = {
  /** For each level, what stands there in the item, or all that may; asked only where there is something to find. */
  probes: readonly ((raw: Raw) => string | readonly string[] | undefined)[]
  hasShape(raw: Raw, shape: number): boolean
}

export function collect<Raw, T extends Decoded>(
  tree: Tree<Raw, T>,
  lookup: Lookup<Raw>,
  raw: Raw,
  found: Found<T>,
  level = 0,
): void {
  if (tree.by !== 'key') {
    collectFrom(tree, lookup.hasShape, raw, found)
    return
  }
  if (tree.any) collect(tree.any, lookup, raw, found, level + 1)
  const probed = tree.named.size > 0 ? lookup.probes[level]?.(raw) : undefined
  if (typeof probed === 'string') collectNamed(tree, probed, lookup, raw, found, level)
  else if (probed) for (const part of probed) collectNamed(tree, part, lookup, raw, found, level)
}

function collectNamed<Raw, T extends Decoded>(
  { named }: Shelf<Raw, T>,
  part: string,
  lookup: Lookup<Raw>,
  raw: Raw,
  found: Found<T>,
  level: number,
): void {
  const inner = named.get(part)
  if (inner) collect(inner, lookup, raw, found, level + 1)
}
