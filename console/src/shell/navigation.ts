import type { LinkProps } from '@tanstack/react-router'
import {
  type Icon,
  IconAddress,
  IconAlert,
  IconHelp,
  IconHome,
  IconProject,
  IconResource,
  IconSettings,
  IconSource,
  IconStack,
  IconStore,
  IconSubscription,
  IconTrigger,
} from '../components/icons.tsx'

/** A number beside an entry: alerts that are firing, or destinations that are failing. */
export type BadgeKind = 'firing' | 'failing'

export type Entry = {
  title: string
  icon: Icon
  /** The link, for a workspace if the page belongs to one. */
  link: (workspace: string) => Pick<LinkProps, 'to' | 'params'>
  /** True if the page is not part of a workspace, so that it is shown without one. */
  isGlobal?: true
  badge?: BadgeKind
  /** First segments of the path, after the workspace, for which the entry is the current one. */
  paths: string[]
  /** The second key of the jump: `g a` opens the alerts. */
  key: string
}

const home: Entry = {
  title: 'Home',
  icon: IconHome,
  link: (workspace) => ({ to: '/w/$workspace/home', params: { workspace } }),
  paths: ['home', 'watch', 'first-steps'],
  key: 'h',
}
const alerts: Entry = {
  title: 'Alerts',
  icon: IconAlert,
  link: (workspace) => ({ to: '/w/$workspace/alerts', params: { workspace } }),
  badge: 'firing',
  paths: ['alerts'],
  key: 'a',
}
const destinations: Entry = {
  title: 'Destinations',
  icon: IconResource,
  link: (workspace) => ({ to: '/w/$workspace/resources', params: { workspace } }),
  badge: 'failing',
  paths: ['resources'],
  key: 'd',
}
const triggers: Entry = {
  title: 'Triggers',
  icon: IconTrigger,
  link: (workspace) => ({ to: '/w/$workspace/triggers', params: { workspace } }),
  paths: ['triggers'],
  key: 't',
}

/** The entries of the navigation, in groups. */
export const navigation: { title: string; entries: Entry[] }[] = [
  {
    title: 'Monitor',
    entries: [
      home,
      alerts,
      {
        title: 'Subscriptions',
        icon: IconSubscription,
        link: (workspace) => ({ to: '/w/$workspace/subscriptions', params: { workspace } }),
        paths: ['subscriptions'],
        key: 's',
      },
      destinations,
    ],
  },
  {
    title: 'Build',
    entries: [
      triggers,
      {
        title: 'Projects',
        icon: IconProject,
        link: (workspace) => ({ to: '/w/$workspace/projects', params: { workspace } }),
        paths: ['projects'],
        key: 'p',
      },
      {
        title: 'Sources',
        icon: IconSource,
        link: (workspace) => ({ to: '/w/$workspace/sources', params: { workspace } }),
        paths: ['sources'],
        key: 'o',
      },
      {
        title: 'Addresses',
        icon: IconAddress,
        link: () => ({ to: '/addresses' }),
        isGlobal: true,
        paths: ['addresses', 'address-lists'],
        key: 'b',
      },
      {
        title: 'Stacks',
        icon: IconStack,
        link: (workspace) => ({ to: '/w/$workspace/stacks', params: { workspace } }),
        paths: ['stacks'],
        key: 'k',
      },
    ],
  },
  {
    title: 'Discover',
    entries: [
      {
        title: 'Marketplace',
        icon: IconStore,
        link: () => ({ to: '/marketplace' }),
        isGlobal: true,
        paths: ['marketplace'],
        key: 'm',
      },
    ],
  },
]

/** Below the groups, at the end of the rail. */
export const lastEntries: Entry[] = [
  {
    title: 'Settings',
    icon: IconSettings,
    link: (workspace) => ({ to: '/w/$workspace/settings', params: { workspace } }),
    paths: ['settings', 'members', 'transfers'],
    key: 'e',
  },
  { title: 'Help', icon: IconHelp, link: () => ({ to: '/about' }), isGlobal: true, paths: ['about'], key: 'i' },
]

/** The tabs at the bottom of a phone. The fifth one opens the whole navigation. */
export const phoneTabs: Entry[] = [home, alerts, triggers, destinations]

export const allEntries: Entry[] = [...navigation.flatMap(({ entries }) => entries), ...lastEntries]

/** True if the entry is the one of this path. */
export function isCurrent({ paths }: Entry, pathname: string): boolean {
  const [first = '', , third = ''] = pathname.split('/').slice(1)
  return paths.includes(first === 'w' ? third : first)
}
