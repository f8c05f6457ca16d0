import classes from './chart.module.css'

type LegendProps = {
  names: [string, string]
  /** The second series is what failed, so it is amber. */
  hasFailures?: boolean
}

/** The names of the two series of a chart, each with its mark. */
export function Legend({ names, hasFailures = false }: LegendProps) {
  return (
    <div className={classes.legend}>
      {names.map((name, series) => (
        <span key={name} className={classes.key} data-series={hasFailures && series === 1 ? 'failed' : series}>
          {name}
        </span>
      ))}
    </div>
  )
}
