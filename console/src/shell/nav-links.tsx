import { VisuallyHidden } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useApiQuery } from '../data/queries.ts'
import { useCurrentWorkspace } from '../data/workspace.ts'
import { type BadgeKind, type Entry, isCurrent, lastEntries, navigation } from './navigation.ts'
import classes from './shell.module.css'

/** The navigation of the rail. */
export function NavLinks() {
  return (
    <>
      {navigation.map(({ title, entries }) => (
        <EntryGroup key={title} title={title} entries={entries} />
      ))}
      <div className={classes.last}>
        <EntryList entries={lastEntries} />
      </div>
    </>
  )
}

function EntryGroup({ title, entries }: { title: string; entries: Entry[] }) {
  return (
    <div>
      <p className={classes.group} id={`nav-${title}`}>
        {title}
      </p>
      <EntryList entries={entries} labelledBy={`nav-${title}`} />
    </div>
  )
}

function EntryList({ entries, labelledBy }: { entries: Entry[]; labelledBy?: string }) {
  const { current } = useCurrentWorkspace()
  return (
    <ul className={classes.list} aria-labelledby={labelledBy}>
      {entries
        .filter(({ isGlobal }) => isGlobal || current)
        .map((entry) => (
          <li key={entry.title}>
            <EntryLink entry={entry} className={classes.link} />
          </li>
        ))}
    </ul>
  )
}

/** A link to the page of an entry, with its badge. */
export function EntryLink({ entry, className }: { entry: Entry; className: string | undefined }) {
  const { current } = useCurrentWorkspace()
  const isHere = useRouterState({ select: (state) => isCurrent(entry, state.location.pathname) })
  const { icon: Icon, title, badge } = entry
  return (
    <Link
      {...entry.link(current?.fullname ?? '')}
      className={className}
      title={title}
      data-current={isHere || undefined}
      activeProps={{}}
    >
      <Icon />
      <span className={classes.linkText}>{title}</span>
      {badge && current && <NavBadge kind={badge} workspace={current.fullname} />}
    </Link>
  )
}

const pollMs = 15_000

/** How many things need a person, beside the navigation entry. */
function NavBadge({ kind, workspace }: { kind: BadgeKind; workspace: string }) {
  const { data } = useApiQuery('getWorkspaceSummary', { fullname: workspace }, { pollMs })
  const count = (kind === 'firing' ? data?.firingAlerts : data?.failingResources)?.count ?? 0
  if (count === 0) return null
  return (
    <span className={classes.badge}>
      {count.toLocaleString('en')}
      <VisuallyHidden component="span"> {kind}</VisuallyHidden>
    </span>
  )
}
