import classes from './severity.module.css'

const levels = { info: 1, warning: 2, critical: 3 }
const names = { info: 'Info', warning: 'Warning', critical: 'Critical' }

/** A severity as bars and a word, never by colour alone. */
export function Severity({ value }: { value: keyof typeof levels }) {
  return (
    <span className={classes.severity} data-severity={value}>
      <svg width={12} height={12} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        {[1, 2, 3].map((level) => (
          <rect
            key={level}
            x={(level - 1) * 4.5}
            y={12 - level * 4}
            width={3}
            height={level * 4}
            rx={1}
            opacity={level <= levels[value] ? 1 : 0.25}
          />
        ))}
      </svg>
      {names[value]}
    </span>
  )
}
