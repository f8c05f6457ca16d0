import './shell-styles.ts'
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { TopBarSlot } from '../components/header/top-bar-slot.ts'
import { IconCheck, IconChevronDown, IconMenu, IconPlus, IconWorkspace } from '../components/icons.tsx'
import { LinkButton } from '../components/links.tsx'
import { Notice } from '../components/notice.tsx'
import { OptionalPart } from '../components/patterns/optional-part.tsx'
import { Picture } from '../components/picture.tsx'
import { useNow } from '../components/relative-time.tsx'
import { notifyError } from '../data/notices.ts'
import { rememberWorkspace, useCurrentWorkspace } from '../data/workspace.ts'
import { describeDuration } from '../layouts/alert/alert-state.tsx'
import type { Resource } from '../layouts/destination/blueprints.ts'
import { ChannelGlyph } from '../layouts/destination/channel-glyph.tsx'
import { isFailing, queueText, useDestinations } from '../layouts/destination/health.tsx'
import failingNoticeStyles from './failing-notice.module.css'
import { EntryLink, NavLinks } from './nav-links.tsx'
import { allEntries, phoneTabs } from './navigation.ts'
import { PaletteLoader } from './palette/palette-loader.tsx'
import classes from './shell.module.css'
import { Brand, TopBar } from './top-bar.tsx'

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

/** Shown above every page while the browser has no network. */
function OfflineNotice() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <div className={classes.notice}>
      <Notice tone="warn" title="You are offline">
        The page shows what was loaded before. Tocsin tries again when the network is back.
      </Notice>
    </div>
  )
}

/** The tabs at the bottom of a phone. “More” opens the whole navigation. */
function PhoneTabs({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  const { current } = useCurrentWorkspace()
  return (
    <nav className={classes.tabs} aria-label="Tabs">
      {current && phoneTabs.map((entry) => <EntryLink key={entry.title} entry={entry} className={classes.tab} />)}
      <UnstyledButton className={classes.tab} onClick={toggle} aria-expanded={isOpen}>
        <IconMenu />
        <span className={classes.linkText}>More</span>
      </UnstyledButton>
    </nav>
  )
}

/** Shows the current workspace. Choosing another one opens its home page. */
function WorkspaceSwitcher() {
  const { current, all } = useCurrentWorkspace()
  const navigate = useNavigate()
  const choose = (workspace: string) => {
    rememberWorkspace(workspace)
    void navigate({ to: '/w/$workspace/home', params: { workspace } })
  }
  const title = current ? (current.meta.title ?? current.fullname) : 'No workspace yet'
  return (
    <Menu withinPortal={false} width={232} position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.current}>
          {current ? <Picture url={current.meta.avatar} name={title} size={26} /> : <IconWorkspace />}
          <span className={classes.names}>
            <VisuallyHidden>Workspace: </VisuallyHidden>
            <span className={classes.name}>{title}</span>
          </span>
          <span className={classes.chevron}>
            <IconChevronDown size={16} />
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(({ fullname, meta }) => (
          <Menu.Item
            key={fullname}
            leftSection={<Picture url={meta.avatar} name={meta.title ?? fullname} size={22} />}
            rightSection={fullname === current?.fullname ? <IconCheck size={16} /> : undefined}
            onClick={() => choose(fullname)}
          >
            {meta.title ?? fullname}
          </Menu.Item>
        ))}
        {all.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconPlus />} onClick={() => void navigate({ to: '/workspaces/new' })}>
          Create workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Shown above every page while a destination of the workspace is failing: the one that failed first. */
function FailingNotice() {
  const { current } = useCurrentWorkspace()
  const failing = useDestinations(current?.fullname).items.filter(isFailing)
  const [first] = failing.toSorted((a, b) => since(a).localeCompare(since(b)))
  if (!current || !first) return null
  return (
    <section className={failingNoticeStyles.banner} aria-label="Failing destinations">
      <ChannelGlyph blueprint={first.blueprint} size={40} />
      <div className={failingNoticeStyles.words}>
        <Headline resource={first} />
        <div>{detailsOf(first, failing.length - 1).join(' ')}</div>
      </div>
      <LinkButton
        variant="default"
        to="/w/$workspace/resources/$resource"
        params={{ workspace: current.fullname, resource: first.fullname }}
      >
        Open destination
      </LinkButton>
    </section>
  )
}

function Headline({ resource }: { resource: Resource }) {
  const { name, meta, ready } = resource
  const now = useNow()
  const lasted = describeDuration(Math.max(0, now - Date.parse(since(resource))))
  return (
    <strong>
      {meta.title ?? name} {ready ? `has been failing for ${lasted}` : `is off after failing for ${lasted}`}
    </strong>
  )
}

function detailsOf(resource: Resource, others: number): string[] {
  const queue = queueText(resource)
  const lastError = resource.health?.lastError
  return [
    ...(queue === undefined ? [] : [`${queue} in its queue.`]),
    ...(lastError === undefined ? [] : [`Last error: ${lastError}`]),
    ...(others > 0 ? [`${others} more ${others === 1 ? 'destination is' : 'destinations are'} failing.`] : []),
  ]
}

function since({ health, updatedAt }: Resource): string {
  return health?.failingSince ?? updatedAt
}

const KeysHelp = lazy(() => import('./palette/keys-help.tsx').then(({ KeysHelp }) => ({ default: KeysHelp })))

/** How long after `g` the second key of a jump counts. */
const jumpMs = 1_500

/**
 * The keys of the console: Ctrl or ⌘ K and `/` open the palette, `?` the list of keys, and `g` with a second key jumps to
 * a page. Keys without Ctrl do nothing while the user types in a field.
 */
function useKeys(): { openPalette: () => void; dialogs: ReactNode } {
  const [open, setOpen] = useState<'palette' | 'help'>()
  const jumpFrom = useRef(0)
  const jump = useJump()
  const press = useEffectEvent((event: KeyboardEvent) => {
    // Browsers send key events without a key when they fill in a form.
    if (!event.key) return
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return setOpen('palette')
    }
    if (open || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (event.timeStamp - jumpFrom.current < jumpMs && jump(event.key)) {
      jumpFrom.current = 0
      return event.preventDefault()
    }
    jumpFrom.current = event.key === 'g' ? event.timeStamp : 0
    if (event.key !== '/' && event.key !== '?') return
    event.preventDefault()
    setOpen(event.key === '/' ? 'palette' : 'help')
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  const close = () => setOpen(undefined)
  const fail = () => {
    close()
    notifyError('This part of the console could not be loaded. Check the connection and reload the page.')
  }
  const dialogs = (
    <>
      {open === 'palette' && <PaletteLoader close={close} fail={fail} />}
      {open === 'help' && (
        <OptionalPart onFailure={fail}>
          <KeysHelp close={close} />
        </OptionalPart>
      )}
    </>
  )
  return { openPalette: () => setOpen('palette'), dialogs }
}

/** Opens the page of a jump key. Returns false if there is none. */
function useJump(): (key: string) => boolean {
  const navigate = useNavigate()
  const { current } = useCurrentWorkspace()
  return (key) => {
    const entry = allEntries.find((one) => one.key === key)
    if (!entry || (!current && !entry.isGlobal)) return false
    void navigate(entry.link(current?.fullname ?? ''))
    return true
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
  )
}
