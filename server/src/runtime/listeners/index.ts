/** The live triggers and subscriptions in memory, kept up to date with the store, with one index for each source. */
export type { LiveSource } from './live-source.ts'
export type { Feed, History, Listener, LiveTrigger, RegisteredTrigger } from './live-trigger.ts'
export { type Listeners, type ListenersOptions, loadStream, makeListeners } from './make-listeners.ts'
export type { ItemMatch, TriggerMatches } from './match-collector.ts'
export { type FactoryTrigger, SourceIndex } from './source-index.ts'
