import type { LinkProps } from '@tanstack/react-router'
import {
  type Icon,
  IconAddress,
  IconAlert,
  IconEye,
  IconFlag,
  IconInfo,
  IconProject,
  IconResource,
  IconSource,
  IconStack,
  IconStore,
  IconSubscription,
  IconTransfer,
  IconTrigger,
  IconWorkspace,
} from '../components/icons.tsx'

/** A navigation entry. Entries with `inWorkspace` are shown only if the account has a workspace. */
export type Entry = { title: string; icon: Icon; showsFailures?: true } & (
  | { to: LinkProps['to']; inWorkspace?: undefined }
  | { inWorkspace: (workspace: string) => Pick<LinkProps, 'to' | 'params'> }
)

/** In the order in which a new user needs them. */
export const navigation: { title: string; entries: Entry[] }[] = [
  {
    title: 'Monitor',
    entries: [
      { title: 'First steps', icon: IconFlag, to: '/first-steps' },
      {
        title: 'Watch',
        icon: IconEye,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/watch', params: { workspace } }),
      },
      {
        title: 'Alerts',
        icon: IconAlert,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/alerts', params: { workspace } }),
      },
      {
        title: 'Subscriptions',
        icon: IconSubscription,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/subscriptions', params: { workspace } }),
      },
      {
        title: 'Destinations',
        icon: IconResource,
        showsFailures: true,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/resources', params: { workspace } }),
      },
    ],
  },
  {
    title: 'Build',
    entries: [
      {
        title: 'Projects',
        icon: IconProject,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/projects', params: { workspace } }),
      },
      {
        title: 'Triggers',
        icon: IconTrigger,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/triggers', params: { workspace } }),
      },
      {
        title: 'Sources',
        icon: IconSource,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/sources', params: { workspace } }),
      },
      {
        title: 'Address lists',
        icon: IconAddress,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/address-lists', params: { workspace } }),
      },
    ],
  },
  {
    title: 'Discover',
    entries: [
      { title: 'Marketplace', icon: IconStore, to: '/marketplace' },
      { title: 'Addresses', icon: IconAddress, to: '/addresses' },
    ],
  },
  {
    title: 'Manage',
    entries: [
      {
        title: 'Workspace',
        icon: IconWorkspace,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/settings', params: { workspace } }),
      },
      {
        title: 'Stacks',
        icon: IconStack,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/stacks', params: { workspace } }),
      },
      {
        title: 'Transfers',
        icon: IconTransfer,
        inWorkspace: (workspace) => ({ to: '/w/$workspace/transfers', params: { workspace } }),
      },
      { title: 'About', icon: IconInfo, to: '/about' },
    ],
  },
]
