import { scaleLinear } from 'd3-scale'
import { curveStepAfter, line } from 'd3-shape'
import classes from './chart.module.css'
import { EndLabels, Frame, margin, type Size, ValueAxis } from './frame.tsx'
import { exactNumber, type Scale, valueScale } from './scale.ts'
import { SeriesTable } from './series.tsx'

/** A value and the bound that it was compared with. The texts are exact; the numbers are for the drawing. */
export type ValuePoint = { x: number; y: number; text: string; bound?: number; boundText?: string }
/** Something that happened. The chart shows the names of the labelled ones; the table shows all. */
export type ValueMark = { x: number; name: string; isFiring: boolean; isLabelled: boolean }
type ValueChartProps = {
  label: string
  points: ValuePoint[]
  marks: ValueMark[]
  /** Formats an x value. */
  xLabel: (x: number) => string
}

/** A value over time: it holds until the next one. The bound is a dashed line, and marks are vertical lines. */
export function ValueChart({ label, points, marks, xLabel }: ValueChartProps) {
  const xs = [...points, ...marks].map(({ x }) => x)
  const [from, to] = [Math.min(...xs), Math.max(...xs)]
  return (
    <figure className={classes.figure}>
      <Frame label={label} height={200}>
        {(size) => (
          <>
            <Drawing {...{ points, marks, size, span: [from, to] }} />
            <EndLabels labels={[xLabel(from), xLabel(to)]} size={size} />
          </>
        )}
      </Frame>
      <SeriesTable label={label} names={['Value', 'Bound', 'Event']} rows={rowsOf(points, marks, xLabel)} />
    </figure>
  )
}

/** Above the values there is room for the two labels of marks. */
const labelsTop = 34

type DrawingProps = { points: ValuePoint[]; marks: ValueMark[]; size: Size; span: [number, number] }

function Drawing({ points, marks, size, span }: DrawingProps) {
  const bounds = points.flatMap(({ bound }) => bound ?? [])
  const values = points.map(({ y }) => y)
  const y = valueScale([...values, ...bounds], [size.height - margin.bottom, labelsTop])
  const x = scaleLinear(span, [margin.left, size.width - margin.right - 4])
  const draw = (pick: (point: ValuePoint) => number) =>
    line<ValuePoint>(
      (point) => x(point.x),
      (point) => y.at(pick(point)),
    ).curve(curveStepAfter)
  const held = hold(points, span[1])
  return (
    <>
      <ValueAxis scale={y} width={size.width} show={exactNumber} />
      {splitAtBounds(held).map((part) => (
        <path key={part[0]?.x} className={classes.bound} d={draw(({ bound = 0 }) => bound)(part) ?? ''} />
      ))}
      <path className={classes.line} d={draw((point) => point.y)(held) ?? ''} />
      {marks.map((mark) => (
        <Mark key={`${mark.x} ${mark.name}`} mark={mark} x={x(mark.x)} y={heightOf(held, mark, y)} size={size} />
      ))}
    </>
  )
}

type MarkProps = { mark: ValueMark; x: number; y: number | undefined; size: Size }

function Mark({ mark: { name, isFiring, isLabelled }, x, y, size }: MarkProps) {
  const isRight = x > size.width / 2
  return (
    <g className={classes.mark} data-firing={isFiring || undefined} data-quiet={!isLabelled || undefined}>
      <line x1={x} x2={x} y1={isFiring ? 6 : 20} y2={size.height - margin.bottom} />
      {y !== undefined && <circle cx={x} cy={y} r={4} />}
      {isLabelled && (
        <text x={x + (isRight ? -6 : 6)} y={isFiring ? 12 : 26} textAnchor={isRight ? 'end' : 'start'}>
          {name}
        </text>
      )}
    </g>
  )
}

/** The last value holds until the end of the chart. */
function hold(points: readonly ValuePoint[], to: number): ValuePoint[] {
  const last = points.at(-1)
  return last && last.x < to ? [...points, { ...last, x: to }] : [...points]
}

function heightOf(points: readonly ValuePoint[], { x }: ValueMark, y: Scale): number | undefined {
  const point = points.findLast((each) => each.x <= x)
  return point && y.at(point.y)
}

/** The parts of a series whose points have a bound. */
function splitAtBounds(points: readonly ValuePoint[]): ValuePoint[][] {
  const parts: ValuePoint[][] = [[]]
  for (const point of points) {
    if (point.bound === undefined) parts.push([])
    else parts.at(-1)?.push(point)
  }
  return parts.filter((part) => part.length > 0)
}

function rowsOf(points: readonly ValuePoint[], marks: readonly ValueMark[], xLabel: (x: number) => string) {
  const times = [...new Set([...points, ...marks].map(({ x }) => x))].sort((a, b) => a - b)
  return times.map((x) => {
    const point = points.find((each) => each.x === x)
    const events = marks.filter((mark) => mark.x === x).map(({ name }) => name)
    return { label: xLabel(x), values: [point?.text ?? '', point?.boundText ?? '', events.join(', ')] }
  })
}
