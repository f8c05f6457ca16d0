/** Follows a chain: fills gaps, checks parents, undoes replaced blocks and applies new ones. It knows no concrete chain and no store. */
export { BlockMemory } from './block-memory.ts'
export type { BlockSink, ChainHead, FollowedChain, Link } from './chain.ts'
export { findUnlinked } from './find-unlinked.ts'
export { type DeepReorg, Follower, type FollowerOptions, type Step } from './follower.ts'
export { Lookahead } from './lookahead.ts'
