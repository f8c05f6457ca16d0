import { fillLists, listNames } from '../../engine/conditions/lists.ts'
import { expandSubscription, type Interner, type Listener, type UnboundListener } from '../../engine/fan-out/index.ts'
import type { LiveSubscription, TriggerToRun } from '../../store/following/listeners.ts'
import type { Store } from '../../store/index.ts'
import type { RegisteredTrigger } from './live-trigger.ts'
import { type Prepare, readTrigger } from './read-trigger.ts'
import type { Registry } from './registry.ts'

/** What a change needs from the store. It is read before the registry changes, because reads await and changes must not. */
export type ReadListeners = {
  /** Each subscription with its current listeners, which may be none. */
  subscriptions: {
    id: string
    listeners: UnboundListener[]
    since: number
    mayReadHealth: boolean
    history: Listener['history']
  }[]
  triggers: RegisteredTrigger[]
}
export type ReadContext = { store: Store; registry: Registry; prepare: Prepare; interner: Interner }

/**
 * Turns the rows of subscriptions into listeners and reads every trigger that they need and the registry lacks: triggers
 * that they name, and triggers whose outputs feed those. `changed` are triggers that must be read again.
 */
export async function readListeners(
  { store, registry, prepare, interner }: ReadContext,
  rows: readonly LiveSubscription[],
  changed: readonly TriggerToRun[],
): Promise<ReadListeners> {
  const subscriptions = rows.map((row) => ({
    id: row.id,
    listeners: expandSubscription(
      row,
      row.template_id === null ? undefined : registry.templates.get(row.template_id),
      interner,
    ),
    since: row.updated_at.getTime(),
    mayReadHealth: row.may_read_health,
    history: row.history === null ? undefined : (JSON.parse(row.history) as Listener['history']),
  }))
  const read = new Map<string, RegisteredTrigger>()
  const names = new Set<string>()
  const add = async (rows: readonly TriggerToRun[]) => {
    for (const row of rows) {
      names.add(row.fullname)
      if (!read.has(row.id)) read.set(row.id, await readTrigger(row, prepare, interner))
    }
  }
  await add(changed)
  const isMissing = (name: string) => !names.has(name) && registry.findByName(name) === undefined
  const wanted = wantedBy(subscriptions.flatMap(({ listeners }) => listeners))
  let missingIds = wanted.ids.filter((id) => !read.has(id) && !registry.triggers.has(id))
  let missing = [...wanted.names, ...feedersOf(read.values())].filter(isMissing)
  while (missingIds.length + missing.length > 0) {
    await add(await store.listeners.findTriggers(missingIds, missing))
    // A name that was not found now is not read again.
    for (const name of missing) names.add(name)
    missingIds = []
    missing = feedersOf(read.values()).filter(isMissing)
  }
  const triggers = [...read.values()]
  await readLists(store, registry, [
    ...triggers.map(({ lists = [] }) => lists),
    ...subscriptions.flatMap(({ listeners }) => listeners.map(({ conditions }) => listNames(conditions))),
  ])
  return { subscriptions, triggers: triggers.map((trigger) => withLists(trigger, registry)) }
}

/** Reads the address lists that the registry lacks. A changed list was removed from it before. */
async function readLists(store: Store, registry: Registry, named: readonly (readonly string[])[]): Promise<void> {
  const missing = new Set(named.flat().filter((list) => !registry.lists.has(list)))
  if (missing.size === 0) return
  for (const list of await store.addressLists.findToMatch([...missing])) registry.lists.set(list.fullname, list)
}

function withLists(trigger: RegisteredTrigger, registry: Registry): RegisteredTrigger {
  const { lists = [], runnable, workspaceId } = trigger
  if (lists.length === 0 || !runnable.conditions) return trigger
  const conditions = fillLists(runnable.conditions, (list) => registry.addressesOf(list, workspaceId))
  return { ...trigger, runnable: { ...runnable, conditions } }
}

function wantedBy(listeners: readonly UnboundListener[]): { ids: string[]; names: string[] } {
  const ids = new Set<string>()
  const names = new Set<string>()
  for (const { trigger } of listeners) {
    if ('id' in trigger) ids.add(trigger.id)
    else names.add(trigger.fullname)
  }
  return { ids: [...ids], names: [...names] }
}

function feedersOf(triggers: Iterable<RegisteredTrigger>): string[] {
  return [...triggers].flatMap(({ feed }) => (feed.kind === 'stream' ? [feed.stream] : []))
}

const continuous = { mode: 'continuous' as const }
const noDelivery: Partial<Listener['delivery']> = {}

/** Undefined if the trigger does not exist or is private in another workspace. */
export function bindListener(unbound: UnboundListener, registry: Registry): Listener | undefined {
  const { trigger: wanted, delivery, ...rest } = unbound
  const trigger = 'id' in wanted ? registry.triggers.get(wanted.id) : registry.findByName(wanted.fullname)
  if (!trigger) return undefined
  if ('forWorkspace' in wanted && !trigger.isPublic && trigger.workspaceId !== wanted.forWorkspace) return undefined
  return {
    ...rest,
    ...listsFor(unbound, registry),
    triggerId: trigger.id,
    projectId: trigger.projectId,
    delivery: joinDelivery(delivery ?? noDelivery, deliveryOf(trigger) ?? noDelivery),
  }
}

/** A subscription overrides the mode of its trigger's defaults, the finality, or both. */
function joinDelivery(
  own: Partial<Listener['delivery']>,
  ofTrigger: Partial<Listener['delivery']>,
): Listener['delivery'] {
  const { mode, keyPath } = own.mode === undefined ? ofTrigger : own
  const finality = own.finality ?? ofTrigger.finality
  if (mode === undefined && finality === undefined) return continuous
  return {
    mode: mode ?? 'continuous',
    ...(keyPath !== undefined && { keyPath }),
    ...(finality !== undefined && finality !== 'seen' && { finality }),
  }
}

/** The lists of a rule belong to the workspace of its template, those of a subscription to the subscription's. */
function listsFor({ conditions, trigger, workspaceId }: UnboundListener, registry: Registry) {
  const lists = listNames(conditions)
  if (lists.length === 0 || !conditions) return {}
  const owner = 'forWorkspace' in trigger ? trigger.forWorkspace : workspaceId
  return { lists, conditions: fillLists(conditions, (list) => registry.addressesOf(list, owner)) }
}

function deliveryOf({ definition }: RegisteredTrigger): Partial<Listener['delivery']> | undefined {
  const delivery = definition.defaults?.delivery
  return isDelivery(delivery) ? delivery : undefined
}

function isDelivery(value: unknown): value is Partial<Listener['delivery']> {
  return typeof value === 'object' && value !== null && ('mode' in value || 'finality' in value)
}
