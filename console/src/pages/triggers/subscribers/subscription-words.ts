import { countWords } from '../../../components/numbers/count-words.ts'

/** “No subscriptions”, “1 subscription”. A number that is not known is not shown as zero. */
export function subscriptionWords(subscriptions: number | undefined): string {
  if (subscriptions === undefined) return 'Subscriptions'
  return subscriptions === 0 ? 'No subscriptions' : countWords(subscriptions, 'subscription')
}
