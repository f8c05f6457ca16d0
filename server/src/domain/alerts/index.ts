/** Alerts: their message, their cause and their deliveries. */
export { getAlert, listAlerts } from './read.ts'
export { replayAlert } from './replay.ts'
export { streamEvents } from './stream.ts'
