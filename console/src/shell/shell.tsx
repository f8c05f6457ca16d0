import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { BellMark } from '../components/icons.tsx'
import { AccountMenu } from './account-menu.tsx'
import { FailingNotice } from './failing-notice.tsx'
import { NavLinks } from './nav-links.tsx'
import classes from './shell.module.css'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** Header and navigation around all pages of a signed-in user. On a phone the navigation covers the page. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change closes the navigation
  useEffect(close, [pathname])
  return (
    <AppShell
      layout="alt"
      padding={{ base: 'md', sm: 'xl' }}
      header={{ height: 56, collapsed: false }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between">
          <Group gap="sm">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
              aria-expanded={isOpen}
            />
            <Group hiddenFrom="sm">
              <Brand />
            </Group>
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main">
        <Group justify="space-between" h={56} px="md">
          <Brand />
          <Burger opened onClick={close} hiddenFrom="sm" size="sm" aria-label="Close navigation" />
        </Group>
        <div className={classes.switcher}>
          <WorkspaceSwitcher />
        </div>
        <ScrollArea className={classes.links} type="auto">
          <NavLinks />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <FailingNotice />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}

function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <BellMark />
      <Text component="span" fw={650} size="lg">
        Tocsin
      </Text>
    </Link>
  )
}
