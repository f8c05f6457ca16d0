/** What the reference says about each operation. A route without a text does not compile. */
import type { RouteName } from '../../routes/index.ts'
import { accountTexts } from './accounts.ts'
import { addressListTexts, addressTexts } from './addresses.ts'
import { alertTexts } from './alerts.ts'
import { customSourceTexts } from './custom-sources.ts'
import { identityTexts } from './identities.ts'
import { importTexts } from './imports.ts'
import type { OperationText } from './operation-text.ts'
import { projectTexts } from './projects.ts'
import { resourceTexts } from './resources.ts'
import { searchTexts } from './search.ts'
import { secondFactorTexts } from './second-factors.ts'
import { stackTexts } from './stacks.ts'
import { subscriptionTexts } from './subscriptions.ts'
import { systemTexts } from './system.ts'
import { templateTexts } from './templates.ts'
import { transferTexts } from './transfers.ts'
import { triggerTexts } from './triggers.ts'
import { workspaceTexts } from './workspaces.ts'

export const operationTexts: Readonly<Record<RouteName, OperationText>> = {
  ...systemTexts,
  ...accountTexts,
  ...secondFactorTexts,
  ...identityTexts,
  ...workspaceTexts,
  ...projectTexts,
  ...transferTexts,
  ...templateTexts,
  ...triggerTexts,
  ...importTexts,
  ...resourceTexts,
  ...customSourceTexts,
  ...addressTexts,
  ...addressListTexts,
  ...subscriptionTexts,
  ...alertTexts,
  ...stackTexts,
  ...searchTexts,
}
