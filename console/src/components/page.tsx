import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page.module.css'

type PageProps = {
  title: string
  /** One line under the title that says what this page is for. */
  about?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Where the page hangs: links to the pages above it. */
  above?: ReactNode
  /** Narrow pages are forms and texts. */
  isNarrow?: boolean
  children: ReactNode
}

/** Every page: its title in the browser too, one line about it, its actions, then its content. */
export function Page({ title, about, actions, above, isNarrow = false, children }: PageProps) {
  useDocumentTitle(`${title} · Tocsin`)
  return (
    <Stack gap="lg" className={isNarrow ? classes.narrow : classes.page}>
      <header>
        {above && <div className={classes.above}>{above}</div>}
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

/** A part of a page, on a surface of its own. */
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

/** A fact with its name: for the heads of detail pages. */
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

export function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </Anchor>
  )
}
