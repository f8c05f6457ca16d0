/** Alerts: what people were told, why, and how it reached them. */
export { getAlert, listAlerts } from './read.ts'
export { replayAlert } from './replay.ts'
export { streamEvents } from './stream.ts'
