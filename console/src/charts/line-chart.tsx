import classes from './chart.module.css'
import { EndLabels, Frame, margin, type Size, ValueAxis } from './frame.tsx'
import { makeScale } from './scale.ts'

export type Point = { x: number; y: number }
type LineChartProps = {
  label: string
  points: Point[]
  /** Formats the first and the last x value. */
  xLabel: (x: number) => string
  unit?: string
  height?: number
}

/** One series. The y axis starts at zero. */
export function LineChart({ label, points, xLabel, unit, height }: LineChartProps) {
  const last = points.at(-1)
  const [first] = points
  if (!first || !last) return null
  return (
    <Frame label={label} {...(height !== undefined && { height })}>
      {(size) => (
        <>
          <Curve points={points} size={size} unit={unit} />
          <EndLabels labels={[xLabel(first.x), xLabel(last.x)]} size={size} />
        </>
      )}
    </Frame>
  )
}

function Curve({ points, size, unit }: { points: Point[]; size: Size; unit?: string | undefined }) {
  const bottom = size.height - margin.bottom
  const y = makeScale(
    points.map((point) => point.y),
    [bottom, margin.top],
    { fromZero: true },
  )
  const [from, to] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]
  const x = (value: number) =>
    margin.left + ((value - from) / (to - from || 1)) * (size.width - margin.left - margin.right)
  const path = points.map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.x)},${y.at(point.y)}`).join('')
  return (
    <>
      <ValueAxis scale={y} width={size.width} unit={unit} />
      <path className={classes.area} d={`${path}L${x(to)},${bottom}L${x(from)},${bottom}Z`} />
      <path className={classes.line} d={path} />
      <circle className={classes.dot} cx={x(to)} cy={y.at(points.at(-1)?.y ?? 0)} r={3.5} />
    </>
  )
}
