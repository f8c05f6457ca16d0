import { accountRoutes } from './accounts.ts'
import { addressListRoutes } from './address-lists.ts'
import { addressRoutes } from './addresses.ts'
import { alertRoutes } from './alerts.ts'
import { customSourceRoutes } from './custom-sources.ts'
import { identityRoutes } from './identities.ts'
import { importRoutes } from './imports.ts'
import { projectRoutes } from './projects.ts'
import { resourceRoutes } from './resources.ts'
import { searchRoutes } from './search.ts'
import { secondFactorRoutes } from './second-factors.ts'
import { stackRoutes } from './stacks.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { systemRoutes } from './system.ts'
import { templateRoutes } from './templates.ts'
import { transferRoutes } from './transfers.ts'
import { triggerRoutes } from './triggers.ts'
import { workspaceRoutes } from './workspaces.ts'

/** The route table: every route of the API in one value. */
export const routes = {
  ...systemRoutes,
  ...accountRoutes,
  ...secondFactorRoutes,
  ...identityRoutes,
  ...workspaceRoutes,
  ...projectRoutes,
  ...transferRoutes,
  ...templateRoutes,
  ...triggerRoutes,
  ...importRoutes,
  ...resourceRoutes,
  ...customSourceRoutes,
  ...addressRoutes,
  ...addressListRoutes,
  ...subscriptionRoutes,
  ...alertRoutes,
  ...stackRoutes,
  ...searchRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes
