import { Group, Title } from '@mantine/core'
import { type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import classes from '../page.module.css'
import { TopBarSlot } from './top-bar-slot.ts'

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

type BreadcrumbsProps = {
  /** Links to the parent pages. */
  parents: ReactNode[]
  title: string
}

/** The way to the current page, in the top bar. */
export function Breadcrumbs({ parents, title }: BreadcrumbsProps) {
  const slot = useContext(TopBarSlot)
  if (!slot) return null
  return createPortal(
    <nav aria-label="Breadcrumbs">
      <ol className={classes.crumbs}>
        {parents.map((parent, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parents of one page never change their order
          <li key={at}>{parent}</li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>,
    slot,
  )
}
