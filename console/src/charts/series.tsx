import classes from './chart.module.css'

export type SeriesRow = { label: string; values: (number | string)[] }
type SeriesTableProps = {
  label: string
  /** What the rows are. */
  rowName?: string
  names: string[]
  rows: SeriesRow[]
}

/** The numbers of a chart for screen readers. */
export function SeriesTable({ label, rowName = 'Time', names, rows }: SeriesTableProps) {
  return (
    <div className={classes.hidden}>
      <table aria-label={label}>
        <thead>
          <tr>
            {[rowName, ...names].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same time in words
            <tr key={at}>
              <th scope="row">{label}</th>
              {values.map((value, column) => (
                <td key={names[column]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

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
