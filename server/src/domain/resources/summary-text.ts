import { cleanLine, cutText } from '../../engine/destinations/safe-text.ts'

const summaryTextMax = 200

/** A name that somebody else gave → a line that members can be shown; undefined when nothing of it is left. */
export function summaryText(value: unknown): string | undefined {
  return (typeof value === 'string' && cutText(cleanLine(value), summaryTextMax)) || undefined
}
