/** What the service itself reports, as items of triggers: changes of status of sources and of triggers. */
export { makePublishSourceEvent, sourceEventJobs } from './source-events.ts'
export { startTriggerEvents, tellSome } from './trigger-events.ts'
