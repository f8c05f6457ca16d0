import { accountRoutes } from './pages/accounts/routes.ts'
import { signInRoutes } from './pages/accounts/sign-in-routes.ts'
import { alertRoutes } from './pages/alerts/routes.ts'
import { customSourceRoutes } from './pages/custom-sources/routes.ts'
import { designRoutes } from './pages/design/routes.ts'
import { workspaceHomeRoutes } from './pages/home/routes.ts'
import { marketplaceRoutes } from './pages/projects/marketplace-routes.ts'
import { projectRoutes } from './pages/projects/routes.ts'
import { resourceRoutes } from './pages/resources/routes.ts'
import { aboutRoutes, addressListRoutes, addressRoutes, firstStepsRoutes } from './pages/single-page-routes.ts'
import { stackRoutes } from './pages/stacks/routes.ts'
import { subscriptionRoutes } from './pages/subscriptions/routes.ts'
import { templateRoutes } from './pages/templates/routes.ts'
import { transferRoutes } from './pages/transfers/routes.ts'
import { triggerRoutes } from './pages/triggers/routes.ts'
import { watchRoutes, watchShortcutRoutes } from './pages/watch/routes.ts'
import { homeRoutes } from './pages/workspaces/home-routes.ts'
import { workspaceRoutes } from './pages/workspaces/routes.ts'
import { rootRoute, shellRoute, workspaceRoute } from './shell/root-routes.tsx'

/** The route tree. Pages are loaded when they are first visited. */
export const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  shellRoute.addChildren([
    ...homeRoutes,
    ...firstStepsRoutes,
    ...watchShortcutRoutes,
    ...aboutRoutes,
    ...designRoutes,
    ...accountRoutes,
    ...addressRoutes,
    ...marketplaceRoutes,
    workspaceRoute.addChildren([
      ...workspaceHomeRoutes,
      ...workspaceRoutes,
      ...watchRoutes,
      ...projectRoutes,
      ...triggerRoutes,
      ...templateRoutes,
      ...customSourceRoutes,
      ...addressListRoutes,
      ...stackRoutes,
      ...transferRoutes,
      ...alertRoutes,
      ...subscriptionRoutes,
      ...resourceRoutes,
    ]),
  ]),
])
