import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import classes from './chart.module.css'
import { EndLabels, Frame, margin, type Size, ValueAxis } from './frame.tsx'
import { countScale } from './scale.ts'
import { SeriesTable } from './series.tsx'

export type Point = { x: number; y: number }
type LineChartProps = {
  label: string
  /** What y is, such as “Blocks behind”. */
  name: string
  points: Point[]
  /** Formats an x value. */
  xLabel: (x: number) => string
  /** The line breaks where the next point is further away than this. */
  gapMin?: number
  unit?: string
  height?: number
}

/** One series. The y axis starts at zero. */
export function LineChart({ label, name, points, xLabel, gapMin, unit, height }: LineChartProps) {
  const last = points.at(-1)
  const [first] = points
  if (!first || !last) return null
  return (
    <figure className={classes.figure}>
      <Frame label={label} {...(height !== undefined && { height })}>
        {(size) => (
          <>
            <Curve points={points} size={size} unit={unit} gapMin={gapMin} />
            <EndLabels labels={[xLabel(first.x), xLabel(last.x)]} size={size} />
          </>
        )}
      </Frame>
      <SeriesTable label={label} names={[name]} rows={points.map(({ x, y }) => ({ label: xLabel(x), values: [y] }))} />
    </figure>
  )
}

type CurveProps = { points: Point[]; size: Size; unit?: string | undefined; gapMin?: number | undefined }

function Curve({ points, size, unit, gapMin }: CurveProps) {
  const bottom = size.height - margin.bottom
  const y = countScale(
    points.map((point) => point.y),
    [bottom, margin.top],
  )
  const [from, to] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]
  const x = scaleLinear([from, to], [margin.left, size.width - margin.right])
  const drawLine = line<Point>(
    (point) => x(point.x),
    (point) => y.at(point.y),
  )
  const drawArea = area<Point>(
    (point) => x(point.x),
    bottom,
    (point) => y.at(point.y),
  )
  return (
    <>
      <ValueAxis scale={y} width={size.width} unit={unit} />
      {splitAtGaps(points, gapMin).map((part) => (
        <g key={part[0]?.x}>
          <path className={classes.area} d={drawArea(part) ?? ''} />
          <path className={classes.line} d={drawLine(part) ?? ''} />
        </g>
      ))}
      <circle className={classes.dot} cx={x(to)} cy={y.at(points.at(-1)?.y ?? 0)} r={3.5} />
    </>
  )
}

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
