import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './address.module.css'

/** The name of a program or a pallet, what it is, and what is still being counted. */
export function InterfaceHead({
  name,
  note,
  children,
}: {
  name: string
  note: string | undefined
  children: ReactNode
}) {
  return (
    <section className={classes.hero} aria-label="What it is">
      <h2 className={classes.name}>{name}</h2>
      <Text c="dimmed">{children}</Text>
      {note && (
        <Text c="dimmed" role="status">
          {note}
        </Text>
      )}
    </section>
  )
}
