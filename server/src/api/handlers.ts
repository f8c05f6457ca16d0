import type { RouteName } from '@tocsin/contract'
import * as accounts from '../domain/accounts/index.ts'
import * as addresses from '../domain/addresses/index.ts'
import { addressListDefinition } from '../domain/addresses/lists/definition.ts'
import * as alerts from '../domain/alerts/index.ts'
import { sourceDefinition } from '../domain/custom-sources/definition.ts'
import * as customSources from '../domain/custom-sources/index.ts'
import type { Handler } from '../domain/handler.ts'
import { projectDefinition } from '../domain/projects/definition.ts'
import * as projects from '../domain/projects/index.ts'
import { resourceDefinition } from '../domain/resources/definition.ts'
import * as resources from '../domain/resources/index.ts'
import * as search from '../domain/search/index.ts'
import * as stacks from '../domain/stacks/index.ts'
import { subscriptionDefinition } from '../domain/subscriptions/definition.ts'
import * as subscriptions from '../domain/subscriptions/index.ts'
import { templateDefinition } from '../domain/templates/definition.ts'
import * as templates from '../domain/templates/index.ts'
import * as transfers from '../domain/transfers/index.ts'
import { triggerDefinition } from '../domain/triggers/definition.ts'
import * as triggers from '../domain/triggers/index.ts'
import * as workspaces from '../domain/workspaces/index.ts'

export type Handlers = { [Name in RouteName]: Handler<Name> }
export type SystemHandlers = Pick<Handlers, 'getHealth' | 'getReady' | 'getFileSchema'>

/** What a stack can contain, in the order of dependencies: an entity may name those of the kinds before it. */
const definitions = [
  sourceDefinition,
  addressListDefinition,
  projectDefinition,
  resourceDefinition,
  triggerDefinition,
  templateDefinition,
  subscriptionDefinition,
]

/** Every route has its handler here; a missing one does not compile. */
export function allHandlers(system: SystemHandlers): Handlers {
  return {
    ...system,
    ...accounts,
    ...workspaces,
    ...projects,
    ...transfers,
    ...templates,
    ...triggers,
    ...resources,
    ...customSources,
    ...addresses,
    ...subscriptions,
    ...alerts,
    ...search,
    listStacks: stacks.listStacks,
    getStack: stacks.getStack,
    ...stacks.stackHandlers(definitions),
  }
}
