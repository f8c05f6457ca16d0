/** Subscriptions: which events an account gets as alerts, and where they go. */
export { deleteSubscription, pauseSubscription, resumeSubscription, unsubscribe } from './change.ts'
export { previewPolicy } from './preview-policy.ts'
export { getSubscription, getSubscriptionCounts, listSubscriptions } from './read.ts'
export { createSubscription, saveSubscription } from './save.ts'
export { testSubscription } from './try-subscription.ts'
