import { useElementSize } from '@mantine/hooks'
import { useId } from 'react'
import classes from './chart.module.css'
import { barPlaces, countScale, shortNumber } from './scale.ts'
import { SeriesTable } from './series.tsx'

/** One bar: what went well below, what failed on top of it. */
export type HistoryBar = {
  label: string
  good: number
  failed: number
  /** The time of this bar is not over, so it is striped. */
  isOpen?: boolean
}
type HistoryChartProps = {
  /** A sentence that says what the chart shows. */
  label: string
  names: { good: string; failed: string }
  bars: HistoryBar[]
  /** Which bars get a label below. */
  labelled: (at: number) => boolean
  height?: number
}

const room = { top: 8, right: 40, bottom: 22 }
const barWidthMax = 28

/** Counts over time: bars from zero, the scale at the right, failures stacked in amber with an outline. */
export function HistoryChart({ label, names, bars, labelled, height = 220 }: HistoryChartProps) {
  const { ref, width } = useElementSize()
  return (
    <figure className={classes.figure}>
      <div ref={ref} className={classes.frame} style={{ height }}>
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-label={label}>
            <Bars {...{ bars, names, labelled, width, height }} />
          </svg>
        )}
      </div>
      <SeriesTable
        label={label}
        names={[names.good, names.failed]}
        rows={bars.map(({ label, good, failed }) => ({ label, values: [good, failed] }))}
      />
    </figure>
  )
}

type BarsProps = Pick<HistoryChartProps, 'bars' | 'names' | 'labelled'> & { width: number; height: number }

function Bars({ bars, names, labelled, width, height }: BarsProps) {
  const stripes = useId()
  const bottom = height - room.bottom
  const scale = countScale(
    bars.map(({ good, failed }) => good + failed),
    [bottom, room.top],
  )
  const places = barPlaces(bars.length, [0, width - room.right])
  const barWidth = Math.max(1, Math.min(places.width, barWidthMax))
  return (
    <>
      <pattern id={stripes} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={2.5} height={5} className={classes.good} />
      </pattern>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={0} x2={width - room.right + 6} y1={scale.at(tick)} y2={scale.at(tick)} />
          <text className={classes.tick} x={width} y={scale.at(tick)} dy="0.32em" textAnchor="end">
            {shortNumber(tick)}
          </text>
        </g>
      ))}
      {bars.map(({ label, good, failed, isOpen }, at) => {
        const left = places.left(at) + (places.width - barWidth) / 2
        const middle = scale.at(good)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two hours have the same name when clocks are turned back
          <g key={at}>
            <title>{`${label}: ${names.good} ${good}${failed > 0 ? `, ${names.failed} ${failed}` : ''}`}</title>
            <rect
              className={classes.good}
              {...(isOpen && { style: { fill: `url(#${stripes})` } })}
              x={left}
              y={middle}
              width={barWidth}
              height={Math.max(0, bottom - middle)}
              rx={Math.min(2, barWidth / 3)}
            />
            {failed > 0 && (
              <rect
                className={classes.failed}
                x={left}
                y={scale.at(good + failed)}
                width={barWidth}
                height={Math.max(2, middle - scale.at(good + failed) - 1)}
                rx={Math.min(2, barWidth / 3)}
              />
            )}
            {labelled(at) && (
              <text className={classes.tick} x={left} y={height - 6}>
                {label}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}
