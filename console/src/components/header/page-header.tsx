import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from '../page.module.css'

export type PageHeaderProps = {
  title: string
  /** A picture of the thing, left of the title. */
  glyph?: ReactNode
  /** One line under the title: the state of the thing, or what the page is for. */
  about?: ReactNode
  /** Buttons at the right, with at most one primary. */
  actions?: ReactNode
}

/** The head of a page: glyph, title, one line of state, actions. */
export function PageHeader({ title, glyph, about, actions }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      {glyph && <div className={classes.glyph}>{glyph}</div>}
      <div className={classes.heading}>
        <Title order={1}>{title}</Title>
        {about && <div className={classes.about}>{about}</div>}
      </div>
      {actions && (
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      )}
    </header>
  )
}
