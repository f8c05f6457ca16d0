import classes from './chart.module.css'
import { EndLabels, Frame, margin, type Size, ValueAxis } from './frame.tsx'
import { makeScale } from './scale.ts'

/** One value, or two values that are compared side by side. */
export type Bar = { label: string; values: [number] | [number, number] }
type BarChartProps = { label: string; bars: Bar[]; names?: [string, string]; height?: number }

export function BarChart({ label, bars, names, height }: BarChartProps) {
  const [first] = bars
  const last = bars.at(-1)
  if (!first || !last) return null
  return (
    <>
      <Frame label={label} {...(height !== undefined && { height })}>
        {(size) => (
          <>
            <Bars bars={bars} size={size} />
            <EndLabels labels={[first.label, last.label]} size={size} />
          </>
        )}
      </Frame>
      {names && (
        <div className={classes.legend}>
          {names.map((name, series) => (
            <span key={name} className={classes.key} data-series={series}>
              {name}
            </span>
          ))}
        </div>
      )}
    </>
  )
}

function Bars({ bars, size }: { bars: Bar[]; size: Size }) {
  const bottom = size.height - margin.bottom
  const y = makeScale(
    bars.flatMap(({ values }) => values),
    [bottom, margin.top],
    { fromZero: true },
  )
  const step = (size.width - margin.left - margin.right) / bars.length
  return (
    <>
      <ValueAxis scale={y} width={size.width} />
      {bars.map((bar, at) =>
        bar.values.map((value, series) => {
          const width = Math.max(1, (step * 0.8) / bar.values.length)
          const left = margin.left + at * step + step * 0.1 + series * width
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
