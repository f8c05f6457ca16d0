import { ActionIcon, Group, Menu, Text, UnstyledButton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { describeErrorBriefly } from '../components/describe-error.ts'
import { DocsLink } from '../components/docs/docs-link.tsx'
import { BellMark, IconKey, IconLogOut, IconSearch, IconUser } from '../components/icons.tsx'
import { mayLeave } from '../components/leave-guard.ts'
import { Picture } from '../components/picture.tsx'
import { api } from '../data/api.ts'
import { notifyError } from '../data/notices.ts'
import { forgetSession, useMe } from '../data/session.ts'
import { SchemeToggle } from './scheme-toggle.tsx'
import classes from './shell.module.css'

type TopBarProps = { setSlot: (slot: HTMLElement | null) => void; openPalette: () => void }

/** Breadcrumbs of the page, search, docs, colour scheme and account. */
export function TopBar({ setSlot, openPalette }: TopBarProps) {
  return (
    <header className={classes.bar}>
      <div className={classes.barBrand}>
        <Brand />
      </div>
      <div ref={setSlot} className={classes.crumbs} />
      <UnstyledButton className={classes.search} onClick={openPalette}>
        <IconSearch size={16} />
        <span>Search or jump to</span>
        <kbd>{isMac() ? '⌘ K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      <DocsLink />
      <AccountMenu />
    </header>
  )
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

function AccountMenu() {
  const { data: me } = useMe()
  const navigate = useNavigate()
  const signOut = async () => {
    if (!(await mayLeave())) return
    try {
      await api.signOut()
    } catch (error) {
      return notifyError(describeErrorBriefly(error))
    }
    await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true })
    forgetSession()
  }
  return (
    <Group gap="xs">
      <SchemeToggle />
      <Menu withinPortal={false} position="bottom-end" shadow="md" width={220}>
        <Menu.Target>
          <UnstyledButton aria-label={`Account: ${me?.name ?? ''}`}>
            {me ? <Picture url={undefined} name={me.name} size={32} /> : <ActionIcon component="span" loading />}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {me && (
            <div style={{ padding: '6px 12px 8px' }}>
              <Text fw={550} truncate>
                {me.name}
              </Text>
              <Text size="sm" c="dimmed" truncate>
                {me.email}
              </Text>
            </div>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconUser />} onClick={() => void navigate({ to: '/account' })}>
            Account
          </Menu.Item>
          <Menu.Item leftSection={<IconKey />} onClick={() => void navigate({ to: '/account/tokens' })}>
            Access tokens
          </Menu.Item>
          <Menu.Item leftSection={<IconLogOut />} onClick={() => void signOut()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <BellMark />
      <span className={classes.linkText}>Tocsin</span>
    </Link>
  )
}
