/** The rows that the user selected, by key, and the row from which Shift selects a range. */
export type Selection = { keys: ReadonlySet<string>; anchor: string | undefined }

export const nothingSelected: Selection = { keys: new Set(), anchor: undefined }

/**
 * Selects a row, or takes it out. With `isRange`, every row between the anchor and this one becomes as this one becomes.
 * `order` is the order of the rows on the page.
 */
export function selectRow(before: Selection, order: readonly string[], key: string, isRange: boolean): Selection {
  const isSelected = !before.keys.has(key)
  const changed = isRange ? rangeOf(order, before.anchor ?? key, key) : [key]
  const keys = new Set(before.keys)
  for (const one of changed) {
    if (isSelected) keys.add(one)
    else keys.delete(one)
  }
  return { keys, anchor: key }
}

/** The rows from one to the other, in either direction. If one of them left the page, only the last. */
function rangeOf(order: readonly string[], from: string, to: string): readonly string[] {
  const [first, last] = [order.indexOf(from), order.indexOf(to)]
  if (first < 0 || last < 0) return [to]
  return order.slice(Math.min(first, last), Math.max(first, last) + 1)
}
