const charactersPerRow = 80

/**
 * The rows that a text needs, from `min` to `max`. It stops counting at `max`, so a long text costs no more than a short
 * one. Measuring the text in the page instead would lay out all of its lines after every key.
 */
export function rowsOf(text: string, min: number, max: number): number {
  let rows = 0
  let from = 0
  while (rows < max && from <= text.length) {
    const end = text.indexOf('\n', from)
    const length = (end === -1 ? text.length : end) - from
    rows += Math.max(1, Math.ceil(length / charactersPerRow))
    if (end === -1) break
    from = end + 1
  }
  return Math.min(Math.max(rows, min), max)
}
