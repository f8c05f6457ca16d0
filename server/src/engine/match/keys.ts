import type { Requirement } from '../conditions/index.ts'

/** What a triggerSpec asks of a raw item, before anything is decoded. Each chain adds its own fields; an absent field is a wildcard. */
export type MatchKeys = { type: string }

/** An item as its chain reads it from a block, decoded as little as possible. */
export type RawItem = { readonly type: string }

/**
 * A trigger, or a subscription of one, as the index holds it. Of every list in `requirements` one must hold in the source
 * item, else the entry is not concerned; `readRequirements` gives them. Keys may be shared by any number of entries.
 */
export type IndexEntry = {
  id: string
  keys: MatchKeys
  requirements?: readonly (readonly Requirement[])[]
  /** An item in which one of each list holds concerns the entry: only then can the index prove anything. */
  requirementsSuffice?: boolean
  /** What makes the item of a raw one. Hits are grouped by it, so that nothing is decoded twice. */
  decoder?: unknown
}
