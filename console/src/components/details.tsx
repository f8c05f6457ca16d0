import { type ReactNode, useState } from 'react'
import classes from './details.module.css'

type DetailsProps = { summary: string; isOpen?: boolean; children: ReactNode }

/** Content that the reader opens by its summary. `isOpen` is how it starts. */
export function Details({ summary, isOpen = false, children }: DetailsProps) {
  const [startsOpen] = useState(isOpen)
  return (
    <details className={classes.details} open={startsOpen}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
