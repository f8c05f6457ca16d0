import type { RouteName } from '@tocsin/contract'
import * as accounts from '../domain/accounts/index.ts'
import * as addresses from '../domain/addresses/index.ts'
import * as alerts from '../domain/alerts/index.ts'
import * as customSources from '../domain/custom-sources/index.ts'
import type { Handler } from '../domain/handler.ts'
import * as projects from '../domain/projects/index.ts'
import * as resources from '../domain/resources/index.ts'
import * as subscriptions from '../domain/subscriptions/index.ts'
import * as templates from '../domain/templates/index.ts'
import * as transfers from '../domain/transfers/index.ts'
import * as triggers from '../domain/triggers/index.ts'
import * as workspaces from '../domain/workspaces/index.ts'

export type Handlers = { [Name in RouteName]: Handler<Name> }
export type SystemHandlers = Pick<Handlers, 'getHealth' | 'getReady'>

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
  }
}
