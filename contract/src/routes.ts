import { accountRoutes } from './routes/accounts.ts'
import { addressRoutes } from './routes/addresses.ts'
import { alertRoutes } from './routes/alerts.ts'
import { customSourceRoutes } from './routes/custom-sources.ts'
import { projectRoutes } from './routes/projects.ts'
import { resourceRoutes } from './routes/resources.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { systemRoutes } from './routes/system.ts'
import { templateRoutes } from './routes/templates.ts'
import { transferRoutes } from './routes/transfers.ts'
import { triggerRoutes } from './routes/triggers.ts'
import { workspaceRoutes } from './routes/workspaces.ts'

/** The route table: every route of the API in one value. */
export const routes = {
  ...systemRoutes,
  ...accountRoutes,
  ...workspaceRoutes,
  ...projectRoutes,
  ...transferRoutes,
  ...templateRoutes,
  ...triggerRoutes,
  ...resourceRoutes,
  ...customSourceRoutes,
  ...addressRoutes,
  ...subscriptionRoutes,
  ...alertRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes
