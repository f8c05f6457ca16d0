import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFilters } from './pages/alerts/filters.ts'
import { readAuditFilters } from './pages/workspaces/audit-filters.ts'
import { workspaceRoute } from './shell/root-routes.tsx'

/** The pages of a workspace. */
export const workspacePages = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/home',
    component: lazyRouteComponent(() => import('./pages/home/home.tsx'), 'WorkspaceHomePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/workspaces/settings.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('./pages/workspaces/members.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./pages/workspaces/audit.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch',
    component: lazyRouteComponent(() => import('./pages/watch/watch.tsx'), 'WatchPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch/address',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['source', 'address']),
    component: lazyRouteComponent(() => import('./pages/watch/address/address-page.tsx'), 'AddressPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch/health',
    component: lazyRouteComponent(() => import('./pages/watch/health/health-page.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch/$goal',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['source', 'subject']),
    component: lazyRouteComponent(() => import('./pages/watch/goal/goal-page.tsx'), 'GoalPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects',
    component: lazyRouteComponent(() => import('./pages/projects/projects.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/new',
    component: lazyRouteComponent(() => import('./pages/projects/new-project.tsx'), 'NewProjectPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project',
    component: lazyRouteComponent(() => import('./pages/projects/project.tsx'), 'ProjectPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/settings',
    component: lazyRouteComponent(() => import('./pages/projects/project-settings.tsx'), 'ProjectSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/links',
    component: lazyRouteComponent(() => import('./pages/projects/access-links.tsx'), 'AccessLinksPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers',
    component: lazyRouteComponent(() => import('./pages/triggers/list/triggers.tsx'), 'TriggersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/new',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['project']),
    component: lazyRouteComponent(() => import('./pages/triggers/create/new-trigger.tsx'), 'NewTriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/$trigger',
    component: lazyRouteComponent(() => import('./pages/triggers/trigger/trigger.tsx'), 'TriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/$trigger/edit',
    component: lazyRouteComponent(() => import('./pages/triggers/builder/edit-trigger.tsx'), 'EditTriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/triggers',
    component: lazyRouteComponent(() => import('./pages/triggers/list/project-triggers.tsx'), 'ProjectTriggersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/templates',
    component: lazyRouteComponent(() => import('./pages/templates/templates.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/templates/new',
    component: lazyRouteComponent(() => import('./pages/templates/new-template.tsx'), 'NewTemplatePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/templates/$template',
    component: lazyRouteComponent(() => import('./pages/templates/edit-template.tsx'), 'EditTemplatePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources',
    component: lazyRouteComponent(() => import('./pages/custom-sources/custom-sources.tsx'), 'CustomSourcesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/runtime',
    component: lazyRouteComponent(() => import('./pages/custom-sources/runtime-sources.tsx'), 'RuntimeSourcesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/new',
    component: lazyRouteComponent(() => import('./pages/custom-sources/new-source.tsx'), 'NewSourcePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/$source',
    component: lazyRouteComponent(() => import('./pages/custom-sources/source.tsx'), 'SourcePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/$source/edit',
    component: lazyRouteComponent(() => import('./pages/custom-sources/edit-source.tsx'), 'EditSourcePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/address-lists',
    component: lazyRouteComponent(() => import('./pages/addresses/address-lists.tsx'), 'AddressListsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/stacks',
    component: lazyRouteComponent(() => import('./pages/stacks/stacks.tsx'), 'StacksPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/stacks/$stack',
    component: lazyRouteComponent(() => import('./pages/stacks/stack.tsx'), 'StackPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/transfers',
    validateSearch: readDirection,
    component: lazyRouteComponent(() => import('./pages/transfers/transfers.tsx'), 'TransfersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/transfer',
    component: lazyRouteComponent(() => import('./pages/transfers/request-transfer.tsx'), 'RequestTransferPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/alerts',
    validateSearch: readFilters,
    component: lazyRouteComponent(() => import('./pages/alerts/alerts.tsx'), 'AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/alerts/$alert',
    component: lazyRouteComponent(() => import('./pages/alerts/alert.tsx'), 'AlertPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions',
    component: lazyRouteComponent(() => import('./pages/subscriptions/subscriptions.tsx'), 'SubscriptionsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions/new',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['project', 'trigger']),
    component: lazyRouteComponent(() => import('./pages/subscriptions/new-subscription.tsx'), 'NewSubscriptionPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions/$subscription',
    component: lazyRouteComponent(() => import('./pages/subscriptions/subscription.tsx'), 'SubscriptionPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions/$subscription/edit',
    component: lazyRouteComponent(() => import('./pages/subscriptions/edit-subscription.tsx'), 'EditSubscriptionPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/resources',
    component: lazyRouteComponent(() => import('./pages/resources/resources.tsx'), 'ResourcesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/resources/new',
    component: lazyRouteComponent(() => import('./pages/resources/new-resource.tsx'), 'NewResourcePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/resources/$resource',
    component: lazyRouteComponent(() => import('./pages/resources/resource.tsx'), 'ResourcePage'),
  }),
] as const

/** Only these values of the address, and only if they are texts. */
export function textsOf<Name extends string>(
  search: Record<string, unknown>,
  names: Name[],
): { [Each in Name]?: string } {
  const texts: { [Each in Name]?: string } = {}
  for (const name of names) if (typeof search[name] === 'string') texts[name] = search[name]
  return texts
}

/** The direction is in the address, so that links can select it. */
function readDirection({ direction }: Record<string, unknown>): { direction?: 'outgoing' } {
  return direction === 'outgoing' ? { direction } : {}
}
