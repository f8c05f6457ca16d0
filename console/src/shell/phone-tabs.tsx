import { UnstyledButton } from '@mantine/core'
import { IconMenu } from '../components/icons.tsx'
import { useCurrentWorkspace } from '../data/workspace.ts'
import { EntryLink } from './nav-links.tsx'
import { phoneTabs } from './navigation.ts'
import classes from './shell.module.css'

/** The tabs at the bottom of a phone. “More” opens the whole navigation. */
export function PhoneTabs({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
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
