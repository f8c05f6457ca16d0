import type { ReactNode } from 'react'
import classes from './name-cell.module.css'

type NameCellProps = {
  glyph: ReactNode
  /** Usually a link. */
  name: ReactNode
  /** One line below the name. */
  about?: ReactNode
  /** The name in the API, shown on hover. */
  fullname: string
}

/** The first cell of a table of things: glyph, name, one line. */
export function NameCell({ glyph, name, about, fullname }: NameCellProps) {
  return (
    <div className={classes.cell} title={fullname}>
      {glyph}
      <div className={classes.words}>
        {name}
        {about && <div className={classes.about}>{about}</div>}
      </div>
    </div>
  )
}
