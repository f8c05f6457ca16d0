/** How rows are told apart by their common columns. */
export type KindOf<Row, Kind> = {
  /** Two rows of one kind have the same key. */
  keyOf: (row: Row) => string
  kindOf: (row: Row) => Kind
  /**
   * A row is first compared with the last one of its owner, because comparing costs less than making a key. Without these
   * two only the keys are compared.
   */
  ownerOf?: (row: Row) => string | null
  isSame?: (a: Row, b: Row) => boolean
}

/**
 * Groups rows whose common columns are the same, so that the statement sends those columns once. `places` holds the index of
 * the kind for each row. Rows of one kind need not be neighbours: events for a hundred subscriptions come mixed.
 */
export function groupByKind<Row, Kind extends object>(
  rows: readonly Row[],
  { keyOf, kindOf, ownerOf = () => null, isSame = () => false }: KindOf<Row, Kind>,
): { kinds: (Kind & { place: number })[]; places: number[] } {
  const kinds: (Kind & { place: number })[] = []
  const placeOf = new Map<string, number>()
  const lastOf = new Map<string | null, { row: Row; place: number }>()
  const placeByKey = (row: Row) => {
    const key = keyOf(row)
    const known = placeOf.get(key)
    if (known !== undefined) return known
    const place = kinds.length
    kinds.push({ ...kindOf(row), place })
    placeOf.set(key, place)
    return place
  }
  const places = rows.map((row) => {
    const owner = ownerOf(row)
    const last = lastOf.get(owner)
    if (last && isSame(last.row, row)) return last.place
    const place = placeByKey(row)
    lastOf.set(owner, { row, place })
    return place
  })
  return { kinds, places }
}
