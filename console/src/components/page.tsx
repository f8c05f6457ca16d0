import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Breadcrumbs, PageHeader, type PageHeaderProps } from './header/page-header.tsx'
import classes from './page.module.css'

type PageProps = PageHeaderProps & {
  /** Links to the parent pages, for the top bar. */
  breadcrumb?: ReactNode
  /** The name of the page in the top bar and the browser tab, if it is not the title. */
  crumb?: string | undefined
  /** For forms and texts: lines stay short. */
  isNarrow?: boolean
  children: ReactNode
}

/** The frame of every page: breadcrumbs, title (also in the browser tab), actions, content. */
export function Page({ breadcrumb, crumb, isNarrow = false, children, ...header }: PageProps) {
  const name = crumb ?? header.title
  useDocumentTitle(`${name} · Tocsin`)
  return (
    <Stack gap="lg" className={classes.page} data-narrow={isNarrow || undefined}>
      <Breadcrumbs parents={breadcrumb ? [breadcrumb] : []} title={name} />
      <PageHeader {...header} />
      {children}
    </Stack>
  )
}

/** A part of a page in its own box. */
export function Section({
  title,
  about,
  actions,
  children,
}: Pick<PageProps, 'about' | 'actions' | 'children'> & { title?: string }) {
  return (
    <Paper component="section" className={classes.section} aria-label={title}>
      {(title || actions) && (
        <Group justify="space-between" align="flex-start" mb={about ? 4 : 'sm'} gap="sm">
          {title && <Title order={2}>{title}</Title>}
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      {about && (
        <Text c="dimmed" size="sm" mb="md" component="div">
          {about}
        </Text>
      )}
      {children}
    </Paper>
  )
}

/** A list of names and values, for detail pages. */
export function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </Anchor>
  )
}

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
