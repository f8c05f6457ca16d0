/** Alerts: their message, their cause and their deliveries. */
export { getAlert, listAlerts, streamEvents } from './read.ts'
export { replayAlert } from './replay.ts'
