import type { ReactNode } from 'react'
import classes from './rich-row.module.css'

type RichRowProps = {
  glyph: ReactNode
  /** A sentence that says what happened, usually a link. */
  title: ReactNode
  /** Where it comes from, in names. */
  about: ReactNode
  /** The amount, or the state of a thing. */
  figure?: ReactNode
  figureAbout?: ReactNode
  /** The destinations with their outcome. */
  outcomes?: ReactNode
  time?: ReactNode
  /** Marks a row that arrived while the page was open. */
  isNew?: boolean
}

/** One row of a list about events: glyph, sentence, figure, outcomes, time. On a phone it becomes three lines. */
export function RichRow({ glyph, title, about, figure, figureAbout, outcomes, time, isNew }: RichRowProps) {
  return (
    <li className={classes.row} data-new={isNew || undefined}>
      <div className={classes.glyph}>{glyph}</div>
      <div className={classes.words}>
        <div className={classes.title}>{title}</div>
        <div className={classes.about}>{about}</div>
      </div>
      {(figure || figureAbout) && (
        <div className={classes.figure}>
          <div>{figure}</div>
          <div className={classes.about}>{figureAbout}</div>
        </div>
      )}
      {outcomes && <div className={classes.outcomes}>{outcomes}</div>}
      {time && <div className={classes.time}>{time}</div>}
    </li>
  )
}

/** The list around the rows. */
export function RichRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={classes.rows} aria-label={label}>
      {children}
    </ol>
  )
}
