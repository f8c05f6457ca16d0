import { type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import classes from './breadcrumbs.module.css'
import { TopBarSlot } from './top-bar-slot.ts'

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
