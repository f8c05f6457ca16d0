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
  if (values.length < 2) return <svg width={width} height={height} aria-hidden="true" />
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (at: number) => (at / (values.length - 1)) * width
  const y = (value: number) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4)
  const path = values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)},${y(value).toFixed(1)}`).join('')
  return (
    <svg
      className={classes.sparkline}
      data-firing={isFiring || undefined}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path className={classes.area} d={`${path}L${width},${height}L0,${height}Z`} />
      <path className={classes.line} d={path} />
    </svg>
  )
}
