/** Finds what somebody meant who mistyped a name. */

const namesMax = 200
const lettersMax = 64

/** The name that differs the least, if it differs by a few letters only; else undefined. Case does not count. */
export function nearestName(sought: string, names: readonly string[]): string | undefined {
  if (sought.length > lettersMax) return undefined
  let nearest: { name: string; distance: number } | undefined
  for (const name of names.slice(0, namesMax)) {
    if (name.length > lettersMax) continue
    const distance = distanceOf(sought.toLowerCase(), name.toLowerCase())
    if (distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name, distance }
  }
  return nearest && nearest.distance <= Math.max(1, Math.floor(sought.length / 3)) ? nearest.name : undefined
}

/** How many letters must be added, removed, replaced or swapped with the next one. */
function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const [above = 0, diagonal = 0, left = 0] = [row[j + 1], row[j], next[j]]
      const isSwapped = j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(above + 1, left + 1, diagonal + (a[i] === b[j] ? 0 : 1), swapped))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
