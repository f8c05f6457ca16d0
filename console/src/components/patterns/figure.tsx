import classes from './figure.module.css'

type FigureProps = { value: string; unit?: string | undefined; size?: 'row' | 'card' | 'hero' }

/** A number that people compare: tabular digits, the unit in a lighter weight. */
export function Figure({ value, unit, size = 'row' }: FigureProps) {
  return (
    <span className={classes.figure} data-size={size}>
      {value}
      {unit && <span className={classes.unit}> {unit}</span>}
    </span>
  )
}
