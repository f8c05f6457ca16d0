import type { BlueprintView, Level, ResourceView } from '@tocsin/contract'
import * as z from 'zod'
import { type Destination, destinations } from '../../engine/destinations/index.ts'
import type { DeliveryFacts } from '../../store/alerts/resource-health.ts'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'
import type { ResourceFilter } from '../../store/alerts/resources.ts'
import type { Store } from '../../store/index.ts'
import { hasLevel, requireMember, requireReadableProject } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import { readCounts, startOfLastDay } from '../counts.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { fullHealthOf } from '../resource-health.ts'
import { requireResource } from './find.ts'

export const listBlueprints: Handler<'listBlueprints'> = async ({ query, engine, settings }) => {
  const rest = destinations.filter(({ blueprint }) => blueprint > (query.cursor ?? ''))
  const shown = rest.slice(0, query.limit)
  const botName = settings.secureSetup ? await engine.bot?.username() : undefined
  const views = shown.map((destination) => blueprintView(destination, engine.channels, botName))
  return new Page(views, rest.length > shown.length ? shown.at(-1)?.blueprint : undefined)
}

export const listResources: Handler<'listResources'> = async ({ account, query, store, now }) => {
  const filter = await requireFilter(store, account, query)
  const { rows, next } = await store.resources.listForMember(account.id, filter, {
    limit: query.limit,
    after: query.cursor,
  })
  const ids = rows.map(({ id }) => id)
  const facts = await store.resourceHealth.findAll(ids, startOfLastDay(now))
  return new Page(
    rows.map((row) => resourceView(store, row, row.level, facts.get(row.id))),
    next,
  )
}

export const getResource: Handler<'getResource'> = async ({ account, params, store, now }) => {
  const row = await requireResource(store, account, params.fullname)
  return taggedResource(store, row, row.level, now)
}

/** The answer of a read and of a save. */
export async function taggedResource(store: Store, row: ResourceRow, level: Level, now: Date) {
  const facts = await store.resourceHealth.findAll([row.id], startOfLastDay(now))
  return new Tagged(resourceView(store, row, level, facts.get(row.id)), tagOf(row))
}

export const getResourceCounts: Handler<'getResourceCounts'> = async ({ account, params, query, store, now }) => {
  const { id } = await requireResource(store, account, params.fullname)
  return readCounts(store, { kind: 'resource', id }, query.range, now)
}

/** Only members of a workspace see its resources, even if others can read the project. */
async function requireFilter(
  store: Store,
  account: Account,
  query: { workspace?: string | undefined; project?: string | undefined },
): Promise<ResourceFilter> {
  const workspace = query.workspace === undefined ? undefined : await requireMember(store, account, query.workspace)
  if (query.project === undefined) return { workspaceId: workspace?.id }
  const project = await requireReadableProject(store, account, query.project)
  if (project.level === null) throw notFound(`There are no resources of "${query.project}" that you may see.`)
  return { workspaceId: workspace?.id, projectId: project.id }
}

/** With `data` or the token one can write to the destination, so only members who may change the resource see them. */
function resourceView(
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

/** Includes the name of the messenger's bot for links, if one is configured and known. */
function blueprintView(
  destination: Destination,
  channels: Context<'listBlueprints'>['engine']['channels'],
  botName: string | undefined,
): z.output<typeof BlueprintView> {
  const { blueprint: fullname, title, description, glyph, external } = destination
  const missing = [...(destination.missing?.(channels) ?? [])]
  const view = { fullname, title, description, glyph, external, configured: missing.length === 0, missing }
  if (destination.external) return { ...view, ...(botName && { bot: { username: botName } }) }
  return { ...view, data: z.toJSONSchema(destination.data, { io: 'input' }), secrets: [...destination.secrets] }
}
