/** Events of the service that are items of triggers: status changes of sources and of triggers. */
export { makePublishSourceEvent, sourceEventJobs } from './source-events.ts'
export { startTriggerEvents } from './trigger-events.ts'
