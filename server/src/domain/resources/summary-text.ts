import { cleanLine, cutText } from '../../engine/destinations/safe-text.ts'

const summaryTextMax = 200

/**
 * Makes one line of a name that another person chose, so that members can be shown it. Undefined if nothing is left.
 */
export function summaryText(value: unknown): string | undefined {
  return (typeof value === 'string' && cutText(cleanLine(value), summaryTextMax)) || undefined
}
