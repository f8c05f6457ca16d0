import classes from './diff-list.module.css'

export type Difference = {
  /** What differs, above the two values. */
  title: string
  /** Null: there was no value. */
  from: string | null
  /** Null: there is no value any more. */
  to: string | null
}

/** Values before and after a change, one above the other. */
export function DiffList({ label, differences }: { label: string; differences: readonly Difference[] }) {
  return (
    <ul className={classes.diff} aria-label={label}>
      {differences.map(({ title, from, to }) => (
        <li key={`${title} ${from}`}>
          <span className={classes.title}>{title}</span>
          {from !== null && <del>{from}</del>}
          {to !== null && <ins>{to}</ins>}
        </li>
      ))}
    </ul>
  )
}
