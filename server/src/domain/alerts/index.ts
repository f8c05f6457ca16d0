/** Alerts: their message, their cause and their deliveries. */
export { getAlert, getAlertValues, listAlerts, streamEvents } from './read.ts'
export { replayAlert, replayAlerts, resendFailed } from './replay.ts'
