import { type Message, Severity } from '@tocsin/contract'

const firstTitlesMax = 5
const longMax = 20_000

/** Makes one message for many: their number, the first titles, and a list of those that are given. */
export function digestMessage(title: string, messages: readonly Message[], count: number): Message {
  const countText = `${count} ${count === 1 ? 'alert' : 'alerts'}`
  const firstTitles = messages.slice(0, firstTitlesMax).map((message) => message.title)
  const more = count - firstTitles.length
  return {
    title: `${title}: ${countText}`,
    short: [...firstTitles, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    long: listMessages(messages, count),
  }
}

/** Lists whole entries, as many as fit. */
function listMessages(messages: readonly Message[], count: number): string {
  const lines: string[] = []
  let length = 0
  for (const [index, { title, short }] of messages.entries()) {
    const line = `${index + 1}. ${title}${short === undefined ? '' : `: ${short.replaceAll(/\s+/g, ' ')}`}`
    length += line.length + 1
    if (length > longMax) break
    lines.push(line)
  }
  const more = count - lines.length
  return (more > 0 ? [...lines, `… and ${more} more`] : lines).join('\n')
}

/** A digest is as serious as the most serious alert in it. */
export function digestSeverity(severities: readonly Severity[]): Severity {
  return Severity.options.findLast((one) => severities.includes(one)) ?? 'info'
}
