/** Splits a series where the next point is more than `gapMin` away, so that no line is drawn over missing time. */
export function splitAtGaps<Point extends { x: number }>(points: readonly Point[], gapMin = Infinity): Point[][] {
  const parts: Point[][] = []
  for (const point of points) {
    const part = parts.at(-1)
    const before = part?.at(-1)
    if (part && before && point.x - before.x <= gapMin) part.push(point)
    else parts.push([point])
  }
  return parts
}
