import classes from './chart.module.css'
import { EndLabels, Frame, margin, type Size, ValueAxis } from './frame.tsx'
import { barPlaces, countScale } from './scale.ts'
import { Legend, SeriesTable } from './series.tsx'

/** One value, or two values that are compared side by side. */
export type Bar = { label: string; values: [number] | [number, number] }
type BarChartProps = {
  label: string
  /** What a bar is, such as “Blocks”. */
  barName: string
  bars: Bar[]
  /** What the values are. Two values have a legend. */
  names: [string] | [string, string]
  height?: number
}

export function BarChart({ label, barName, bars, names, height }: BarChartProps) {
  const [first] = bars
  const last = bars.at(-1)
  if (!first || !last) return null
  return (
    <figure className={classes.figure}>
      <Frame label={label} {...(height !== undefined && { height })}>
        {(size) => (
          <>
            <Bars bars={bars} size={size} />
            <EndLabels labels={[first.label, last.label]} size={size} />
          </>
        )}
      </Frame>
      {names.length === 2 && <Legend names={names} />}
      <SeriesTable label={label} rowName={barName} names={names} rows={bars} />
    </figure>
  )
}

function Bars({ bars, size }: { bars: Bar[]; size: Size }) {
  const bottom = size.height - margin.bottom
  const y = countScale(
    bars.flatMap(({ values }) => values),
    [bottom, margin.top],
  )
  const places = barPlaces(bars.length, [margin.left, size.width - margin.right])
  return (
    <>
      <ValueAxis scale={y} width={size.width} />
      {bars.map((bar, at) =>
        bar.values.map((value, series) => {
          const width = Math.max(1, places.width / bar.values.length)
          const left = places.left(at) + series * width
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars have no id
              key={`${at} ${series}`}
              className={classes.bar}
              data-series={series}
              x={left}
              y={y.at(value)}
              width={width}
              height={Math.max(0, bottom - y.at(value))}
              rx={Math.min(2, width / 3)}
            >
              <title>{`${bar.label}: ${value}`}</title>
            </rect>
          )
        }),
      )}
    </>
  )
}
