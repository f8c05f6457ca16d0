/** Following a chain: poll or be woken, fill gaps, check parents, undo and apply. Knows neither chains nor the store. */
export type { BlockSink, FollowedChain, Link, SeenHead } from './chain.ts'
export { type DeepReorganisation, Follower, type FollowerOptions, type Step } from './follower.ts'
