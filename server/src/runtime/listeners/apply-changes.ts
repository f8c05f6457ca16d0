import type { Change } from '../../store/core/changes.ts'
import type { LiveSubscription, TriggerToRun } from '../../store/following/listeners.ts'
import type { Store } from '../../store/index.ts'
import { liveCustomSource } from './live-source.ts'
import { isOnHealth, type Listener } from './live-trigger.ts'
import { bindListener, type ReadContext, readListeners } from './read-listeners.ts'
import type { Registry } from './registry.ts'

type ApplyContext = ReadContext & { warn(fields: Record<string, unknown>, message: string): void }

/** Applies committed changes to the registry: it reads all rows that they touch first, then changes the registry. */
export async function applyChanges(context: ApplyContext, changes: readonly Change[]): Promise<void> {
  const { store, registry } = context
  const changed = idsByKind(changes)
  const sources = await store.customSources.findAll(changed.source)
  const templates = await store.listeners.findTemplates(changed.template)
  const triggerIds = await changedTriggerIds(store, changed)
  const usersOfLists = registry.usersOf(changed.address_list)
  const allTriggerIds = [...new Set([...triggerIds, ...usersOfLists.triggers])]
  const rows = allTriggerIds.length > 0 ? await store.listeners.findTriggers(allTriggerIds, []) : []
  const renamed = rows.filter(({ id }) => triggerIds.includes(id))
  const affected = await changedSubscriptionIds(store, changed, templatesNaming(registry, renamed, triggerIds))
  const ids = [...new Set([...affected, ...usersOfLists.subscriptions])]
  const subscriptions = ids.length > 0 ? await store.listeners.find(ids) : []

  // From here on the registry holds the new templates and address lists. The rest changes in one step, inside
  // `putSubscriptions`.
  for (const list of changed.address_list) registry.lists.delete(list)
  for (const id of changed.template) registry.templates.delete(id)
  for (const template of templates) registry.templates.set(template.id, template)
  await readTemplates(store, registry, subscriptions)
  const changedTriggers = rows.filter((row) => isNeeded(registry, row))
  await putSubscriptions(context, subscriptions, changedTriggers, ids)
  const existing = new Set(rows.map(({ id }) => id))
  for (const id of allTriggerIds) if (!existing.has(id)) registry.removeTrigger(id)
  const live = new Map(sources.map((row) => [row.fullname, liveCustomSource(store, row)]))
  for (const fullname of changed.source) registry.setSource(fullname, live.get(fullname))
  registry.prune()
}

type ChangedIds = Record<Change['kind'], string[]>

async function changedTriggerIds(store: Store, { trigger, project }: ChangedIds): Promise<string[]> {
  const ofProjects = project.length > 0 ? await store.listeners.findTriggersOfProjects(project) : []
  return [...new Set([...trigger, ...ofProjects])]
}

async function changedSubscriptionIds(
  store: Store,
  { subscription, template, project, account }: ChangedIds,
  otherTemplates: readonly string[],
): Promise<string[]> {
  const touched = { templates: [...template, ...otherTemplates], projects: project, accounts: account }
  const isTouching = Object.values(touched).some((list) => list.length > 0)
  return [...new Set([...subscription, ...(isTouching ? await store.listeners.findAffected(touched) : [])])]
}

/** Puts subscriptions and changed triggers into the registry. Subscriptions among `ids` without a row are removed. */
export async function putSubscriptions(
  context: ApplyContext,
  rows: readonly LiveSubscription[],
  changedTriggers: readonly TriggerToRun[] = [],
  ids: readonly string[] = [],
): Promise<void> {
  const { registry, warn } = context
  const { subscriptions, triggers } = await readListeners(context, rows, changedTriggers)
  for (const trigger of triggers) {
    registry.putTrigger(trigger)
    const problem = trigger.feed.kind === 'none' ? trigger.feed.problem : undefined
    if (problem) warn({ trigger: trigger.fullname, problem }, 'trigger cannot be read and is skipped')
  }
  const removed = new Set(ids)
  for (const { id, listeners: unbound, since, history, mayReadHealth } of subscriptions) {
    removed.delete(id)
    const bound = unbound.flatMap((listener) => bindListener(listener, registry) ?? [])
    const listeners = mayReadHealth ? bound : bound.filter((listener) => !isOfHealth(listener, registry))
    registry.setListeners(id, listeners, since, history)
  }
  for (const id of removed) registry.setListeners(id, [], 0)
}

function isOfHealth({ triggerId }: Listener, registry: Registry): boolean {
  const trigger = registry.triggers.get(triggerId)
  return trigger !== undefined && isOnHealth(trigger)
}

/** Reads the templates of subscriptions that the registry does not hold yet. */
export async function readTemplates(
  store: Store,
  registry: Registry,
  rows: readonly LiveSubscription[],
): Promise<void> {
  const ids = new Set(rows.flatMap(({ template_id: id }) => (id !== null && !registry.templates.has(id) ? [id] : [])))
  if (ids.size === 0) return
  for (const template of await store.listeners.findTemplates([...ids])) registry.templates.set(template.id, template)
}

function idsByKind(changes: readonly Change[]): ChangedIds {
  const idsOf = (wanted: Change['kind']) => [
    ...new Set(changes.flatMap(({ kind, entityId }) => (kind === wanted ? entityId : []))),
  ]
  return {
    trigger: idsOf('trigger'),
    subscription: idsOf('subscription'),
    template: idsOf('template'),
    source: idsOf('source'),
    project: idsOf('project'),
    account: idsOf('account'),
    address_list: idsOf('address_list'),
  }
}

/** Templates with a rule that names one of these triggers, by its old or new name: the rule may now mean another trigger. */
function templatesNaming(registry: Registry, rows: readonly TriggerToRun[], ids: readonly string[]): string[] {
  const names = new Set(rows.map(({ fullname }) => fullname))
  for (const id of ids) {
    const before = registry.triggers.get(id)
    if (before) names.add(before.fullname)
  }
  return [...registry.templates.values()]
    .filter(({ rules }) => rules.some(({ trigger }) => names.has(trigger)))
    .map(({ id }) => id)
}

/** True if the registry holds the trigger, or another trigger listens to its outputs. */
function isNeeded(registry: Registry, { id, fullname }: TriggerToRun): boolean {
  return registry.triggers.has(id) || registry.dependentsOf(fullname).size > 0
}
