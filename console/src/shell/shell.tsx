import './shell-styles.ts'
import { useDisclosure } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { TopBarSlot } from '../components/header/top-bar-slot.ts'
import { Brand } from './brand.tsx'
import { FailingNotice } from './failing-notice.tsx'
import { NavLinks } from './nav-links.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { PhoneTabs } from './phone-tabs.tsx'
import classes from './shell.module.css'
import { TopBar } from './top-bar.tsx'
import { useKeys } from './use-keys.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** Rail and top bar around all pages of a signed-in user. On a phone, tabs at the bottom replace the rail. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const { openPalette, dialogs } = useKeys()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change closes the navigation
  useEffect(close, [pathname])
  return (
    <TopBarSlot value={slot}>
      <div className={classes.shell}>
        <nav className={classes.rail} aria-label="Main" data-open={isOpen || undefined}>
          <Brand />
          <WorkspaceSwitcher />
          <NavLinks />
        </nav>
        <div className={classes.body}>
          <TopBar setSlot={setSlot} openPalette={openPalette} />
          <main id="main" tabIndex={-1} className={classes.main}>
            <OfflineNotice />
            <FailingNotice />
            <Outlet />
          </main>
        </div>
        <PhoneTabs isOpen={isOpen} toggle={toggle} />
      </div>
      {dialogs}
      <Notifications position="bottom-right" />
    </TopBarSlot>
  )
}
