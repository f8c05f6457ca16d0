import type { BlueprintView, Level, ResourceView } from '@tocsin/contract'
import * as z from 'zod'
import type { DeliveryFacts } from '../../store/alerts/resource-health.ts'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'
import type { Store } from '../../store/index.ts'
import { hasLevel } from '../access.ts'
import { fullHealthOf } from '../resource-health.ts'
import type { Blueprint, OperatorVariable } from './blueprints.ts'

/** With `data` or the token one can write to the destination, so only members who may change the resource see them. */
export function resourceView(
  store: Store,
  row: ResourceRow,
  level: Level,
  facts: DeliveryFacts | undefined,
): z.output<typeof ResourceView> {
  return {
    id: row.id,
    name: row.name,
    fullname: row.fullname,
    workspace: row.workspace,
    ...(row.project !== null && { project: row.project }),
    blueprint: row.blueprint,
    ready: row.ready,
    remark: row.remark,
    health: fullHealthOf(row, facts),
    ...(hasLevel(level, 'admin') && secretsOf(store, row)),
    ...(row.summary && { destinationSummary: row.summary }),
    ...(row.notify_on_failure !== null && { notifyOnFailure: row.notify_on_failure }),
    tags: row.tags,
    labels: row.labels,
    meta: row.meta,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** An external resource has a token and no data, a plain one has data and no token. */
function secretsOf(store: Store, row: ResourceRow) {
  const data = store.resources.openData(row)
  const token = store.resources.openToken(row)
  return { ...(data && { data }), ...(token && { token }) }
}

/** What a blueprint's view needs to know about this installation. */
export type Installed = { botName: string | undefined; variables: ReadonlySet<OperatorVariable> }

/** Includes the name of the messenger's bot for links, if one is configured and known. */
export function blueprintView(blueprint: Blueprint, { botName, variables }: Installed): z.output<typeof BlueprintView> {
  const { fullname, title, description, external, needs = [] } = blueprint
  const missing = needs.filter((variable) => !variables.has(variable))
  const view = { fullname, title, description, external, configured: missing.length === 0, missing }
  if (blueprint.external) return { ...view, ...(botName && { bot: { username: botName } }) }
  return { ...view, data: z.toJSONSchema(blueprint.data, { io: 'input' }) }
}
