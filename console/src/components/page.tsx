import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page.module.css'

type PageProps = {
  title: string
  /** One line under the title that says what the page is for. */
  about?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Links to the parent pages. */
  breadcrumb?: ReactNode
  /** For forms and texts. */
  isNarrow?: boolean
  children: ReactNode
}

/** The frame of every page: title (also in the browser tab), description, actions, content. */
export function Page({ title, about, actions, breadcrumb, isNarrow = false, children }: PageProps) {
  useDocumentTitle(`${title} · Tocsin`)
  return (
    <Stack gap="lg" className={isNarrow ? classes.narrow : classes.page}>
      <header>
        {breadcrumb && <div className={classes.breadcrumb}>{breadcrumb}</div>}
        <Group justify="space-between" align="flex-start" gap="sm">
          <div className={classes.heading}>
            <Title order={1}>{title}</Title>
            {about && (
              <Text c="dimmed" mt={4} component="div">
                {about}
              </Text>
            )}
          </div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </header>
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
