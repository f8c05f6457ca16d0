/**
 * Groups rows whose common columns are the same, so that the statement sends those columns once. `places` holds the index of
 * the kind for each row. Rows of one kind need not be neighbours: events for a hundred subscriptions come mixed.
 */
export function groupByKind<Row, Kind extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  kindOf: (row: Row) => Kind,
): { kinds: (Kind & { place: number })[]; places: number[] } {
  const kinds: (Kind & { place: number })[] = []
  const placeOf = new Map<string, number>()
  const places = rows.map((row) => {
    const key = keyOf(row)
    const known = placeOf.get(key)
    if (known !== undefined) return known
    const place = kinds.length
    kinds.push({ ...kindOf(row), place })
    placeOf.set(key, place)
    return place
  })
  return { kinds, places }
}
