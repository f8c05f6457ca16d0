import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from '../watch.module.css'

/** One of the numbered questions of a form. */
export function Question({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className={classes.question} aria-label={title}>
      <h2 className={classes.heading}>
        <span className={classes.mark} aria-hidden="true">
          {number}
        </span>
        {title}
      </h2>
      <Stack gap="md">{children}</Stack>
    </section>
  )
}
