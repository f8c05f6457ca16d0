/**
 * Runs subscriptions over past blocks before they are live. Read it in this order: histories.ts (the histories of one
 * source), earlier-blocks.ts (blocks from before the source was followed), history-run.ts (one history: read blocks, match
 * them, queue their matches, and hand over to the live follower), commit-history.ts (the commits).
 */
export { Histories } from './histories.ts'
