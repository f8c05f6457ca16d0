import type { Message } from '@tocsin/contract'

/** What one message tells of many alerts. The times are those of the first and of the last item. */
export type Folded = {
  trigger: string
  count: number
  firstMs: number
  lastMs: number
  /** The newest titles, newest first. */
  titles: readonly string[]
  /** The page of the alerts in the console. */
  url: string
}

/** Makes one message for alerts of a subscription that would each wait long for their turn in a chat or mailbox. */
export function foldedMessage({ trigger, count, firstMs, lastMs, titles, url }: Folded): Message {
  const more = count - titles.length
  return {
    title: `${count} alerts of ${trigger}`,
    long: [
      `${spanOf(firstMs, lastMs)} Too many waited for one message each. The newest:`,
      ...titles.map((title) => `• ${title}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('\n'),
    links: [{ title: 'Show the alerts', url }],
  }
}

function spanOf(firstMs: number, lastMs: number): string {
  const [first, last] = [timeOf(firstMs), timeOf(lastMs)]
  return first === last ? `At ${first} UTC.` : `From ${first} to ${last} UTC.`
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
