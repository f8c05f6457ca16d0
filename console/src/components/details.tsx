import type { ReactNode } from 'react'
import classes from './details.module.css'

/** Content that the reader opens by its summary. */
export function Details({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className={classes.details}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
