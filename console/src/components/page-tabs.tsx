import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './page-tabs.module.css'

export type Tab = { title: string; link: Pick<LinkProps, 'to' | 'params'> }

/** Tabs that are links, so that each page has its own URL. */
export function PageTabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ title, link }) => (
        <Link key={title} {...link} className={classes.tab} activeOptions={{ exact: true }}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
