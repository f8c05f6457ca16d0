import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { DocsLink } from '../../components/docs/docs-link.tsx'
import { BellMark } from '../../components/first-icons.tsx'
import { SchemeToggle } from '../../shell/scheme-toggle.tsx'
import classes from './sign-in-layout.module.css'

/** The layout of the sign-in and sign-up pages. */
export function SignInLayout({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  useDocumentTitle(`${title} · Tocsin`)
  return (
    <div className={classes.frame}>
      <header className={classes.corner}>
        <DocsLink />
        <SchemeToggle />
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        <Group gap="sm" justify="center" mb="lg">
          <BellMark size={36} />
          <Text component="span" fw={650} fz={24}>
            Tocsin
          </Text>
        </Group>
        <Paper className={classes.card}>
          <Stack gap="md">
            <div>
              <Title order={1}>{title}</Title>
              <Text c="dimmed" mt={4} component="div">
                {about}
              </Text>
            </div>
            {children}
          </Stack>
        </Paper>
      </main>
    </div>
  )
}
