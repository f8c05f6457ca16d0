import type { Requirement } from '../conditions/requirements.ts'

/** The parts of a triggerSpec that a raw item can answer before it is decoded. Each chain adds its own fields; an absent field is a wildcard. */
export type MatchKeys = { type: string }

/** An item as the chain reads it from a block, before it is decoded. */
export type RawItem = { readonly type: string }

/**
 * A trigger, or a subscription to one, in the index. The entry can match an item only if at least one requirement of each
 * list holds in it. `readRequirements` makes the lists from conditions. Any number of entries may share the same keys.
 */
export type IndexEntry = {
  id: string
  keys: MatchKeys
  requirements?: readonly (readonly Requirement[])[]
  /** True if the requirements are the whole condition. Only then can the index return the entry as proven. */
  requirementsSuffice?: boolean
  /** True if the entry can check the conditions without its requirements. Only then can the index return it as narrowed. */
  canCheckRest?: boolean
  /** The function that decodes a raw item. The index groups hits by it, so that each decoder runs once per item. */
  decoder?: unknown
}
