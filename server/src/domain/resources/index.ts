/** Resources: the destinations of alerts, their blueprints and their setup. */
export { confirmEmail } from './confirmation.ts'
export * from './external.ts'
export { getResource, getResourceCounts, listBlueprints, listResources } from './read.ts'
export * from './save.ts'
export { saveResource } from './save.ts'
export * from './send-test-message.ts'
export * from './setup-routes.ts'
