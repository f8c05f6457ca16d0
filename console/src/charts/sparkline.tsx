import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import classes from './chart.module.css'

type SparklineProps = {
  values: number[]
  width?: number
  height?: number
  /** The line needs attention: it is drawn in the colour of what fires. */
  isFiring?: boolean
}

/** A small line without axes. It stands beside a text that says the same, so screen readers skip it. */
export function Sparkline({ values, width = 64, height = 20, isFiring = false }: SparklineProps) {
  if (values.length < 2) return <NoValues width={width} height={height} />
  const x = scaleLinear([0, values.length - 1], [0, width])
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [height - 2, 2])
  const drawLine = line<number>((_, at) => x(at), y).digits(1)
  const drawArea = area<number>((_, at) => x(at), height, y).digits(1)
  return (
    <svg
      className={classes.sparkline}
      data-firing={isFiring || undefined}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path className={classes.area} d={drawArea(values) ?? ''} />
      <path className={classes.line} d={drawLine(values) ?? ''} />
    </svg>
  )
}

/** A dashed line: there is nothing to show yet. */
function NoValues({ width, height }: { width: number; height: number }) {
  return (
    <svg className={classes.sparkline} width={width} height={height} aria-hidden="true">
      <path className={classes.none} d={`M0,${height - 2}H${width}`} />
    </svg>
  )
}
