/**
 * Triggers: definitions that match source items, with drafts, patches, bulk changes, logs and ready-made starting
 * points.
 */
export { backtestTrigger, getBacktest, stopBacktest } from './backtest/index.ts'
export * from './bulk.ts'
export * from './drafts.ts'
export * from './drafts.ts'
export * from './drafts.ts'
export * from './imports/index.ts'
export * from './patch.ts'
export * from './read.ts'
export * from './read.ts'
export * from './save.ts'
export { deleteTrigger } from './save.ts'
export * from './try-outs/index.ts'
export * from './versions.ts'
