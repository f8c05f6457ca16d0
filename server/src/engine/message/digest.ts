import type { Message } from '@tocsin/contract'

const namedMax = 5
const longMax = 20_000

/** One message for many: how many there are, the first few by title, and all of them below. */
export function digestMessage(title: string, collected: readonly Message[]): Message {
  const counted = `${collected.length} ${collected.length === 1 ? 'alert' : 'alerts'}`
  const named = collected.slice(0, namedMax).map((message) => message.title)
  const more = collected.length - named.length
  return {
    title: `${title}: ${counted}`,
    short: [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    long: listed(collected),
  }
}

/** Whole entries, as many as fit. */
function listed(collected: readonly Message[]): string {
  const lines: string[] = []
  let length = 0
  for (const [index, { title, short }] of collected.entries()) {
    const line = `${index + 1}. ${title}${short === undefined ? '' : `: ${short.replaceAll(/\s+/g, ' ')}`}`
    length += line.length + 1
    if (length > longMax) return [...lines, `… and ${collected.length - index} more`].join('\n')
    lines.push(line)
  }
  return lines.join('\n')
}
