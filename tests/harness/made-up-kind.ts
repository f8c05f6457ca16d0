import { addressTypes, sourceKinds } from '../../contract/src/chains/kinds.ts'

/**
 * Adds the made-up chain to the kinds of the contract. The schemas are made of these lists when the contract is loaded, so a
 * test imports this before it. The types know only the kinds in the source.
 */
export const notesKind = 'notes' as string as (typeof sourceKinds)[number]
export const authorType = 'author' as string as (typeof addressTypes)[number]

const lists: readonly (readonly [unknown, unknown])[] = [
  [sourceKinds, notesKind],
  [addressTypes, authorType],
]
for (const [list, entry] of lists) if (Array.isArray(list)) list.push(entry)
