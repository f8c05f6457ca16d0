import { Link } from '@tanstack/react-router'
import { useCurrentWorkspace } from '../data/workspace.ts'
import { FailingBadge } from './failing-notice.tsx'
import { type Entry, navigation } from './navigation.ts'
import classes from './shell.module.css'

export function NavLinks() {
  const { current } = useCurrentWorkspace()
  return navigation.map(({ title, entries }) => {
    const shown = entries.filter(({ inWorkspace }) => !inWorkspace || current)
    if (shown.length === 0) return null
    return (
      <div key={title}>
        <p className={classes.group} id={`nav-${title}`}>
          {title}
        </p>
        <ul className={classes.list} aria-labelledby={`nav-${title}`}>
          {shown.map((entry) => (
            <li key={entry.title}>
              <EntryLink entry={entry} workspace={current?.fullname} />
            </li>
          ))}
        </ul>
      </div>
    )
  })
}

function EntryLink({ entry, workspace }: { entry: Entry; workspace: string | undefined }) {
  const { icon: Icon, title } = entry
  const link = entry.inWorkspace ? entry.inWorkspace(workspace ?? '') : { to: entry.to }
  return (
    <Link {...link} className={classes.link}>
      <Icon />
      {title}
      {entry.showsFailures && <FailingBadge workspace={workspace} />}
    </Link>
  )
}
