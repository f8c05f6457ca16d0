import { UnstyledButton } from '@mantine/core'
import { DocsLink } from '../components/docs/docs-link.tsx'
import { IconSearch } from '../components/icons.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
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
