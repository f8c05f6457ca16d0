import { expandSubscription, type Interner, type Listener, type UnboundListener } from '../../engine/fan-out/index.ts'
import type { LiveSubscription, TriggerToRun } from '../../store/following/listeners.ts'
import type { Store } from '../../store/index.ts'
import type { Live } from './live.ts'
import type { Memory } from './memory.ts'
import { type Prepare, readTrigger } from './read-trigger.ts'

/** What is read before anything is changed: reading takes time, and in between nothing may be half changed. */
export type Gathered = {
  /** Each with what it listens to now, which may be nothing. */
  subscriptions: { id: string; listeners: UnboundListener[]; since: number }[]
  triggers: Live[]
}
export type Gathering = { store: Store; memory: Memory; prepare: Prepare; interner: Interner }

/**
 * The subscriptions' rows made into listeners, with every trigger that they need and that is not in memory: those they
 * name, and those whose outputs feed them. `anew` are triggers to be read again.
 */
export async function gather(
  { store, memory, prepare, interner }: Gathering,
  rows: readonly LiveSubscription[],
  anew: readonly TriggerToRun[],
): Promise<Gathered> {
  const subscriptions = rows.map((row) => ({
    id: row.id,
    listeners: expandSubscription(
      row,
      row.template_id === null ? undefined : memory.templates.get(row.template_id),
      interner,
    ),
    since: row.updated_at.getTime(),
  }))
  const read = new Map<string, Live>()
  const names = new Set<string>()
  const add = async (found: readonly TriggerToRun[]) => {
    for (const row of found) {
      names.add(row.fullname)
      if (!read.has(row.id)) read.set(row.id, await readTrigger(row, prepare, interner))
    }
  }
  await add(anew)
  const isMissing = (name: string) => !names.has(name) && memory.named(name) === undefined
  const wanted = wantedBy(subscriptions.flatMap(({ listeners }) => listeners))
  let missingIds = wanted.ids.filter((id) => !read.has(id) && !memory.triggers.has(id))
  let missing = [...wanted.names, ...feedersOf(read.values())].filter(isMissing)
  while (missingIds.length + missing.length > 0) {
    await add(await store.listeners.findTriggers(missingIds, missing))
    // What was not found now is not asked for again.
    for (const name of missing) names.add(name)
    missingIds = []
    missing = feedersOf(read.values()).filter(isMissing)
  }
  return { subscriptions, triggers: [...read.values()] }
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

function feedersOf(triggers: Iterable<Live>): string[] {
  return [...triggers].flatMap(({ feed }) => (feed.kind === 'stream' ? [feed.stream] : []))
}

const continuous = { mode: 'continuous' as const }

/** Undefined while the trigger does not exist, or is another workspace's private one. */
export function bindListener(unbound: UnboundListener, memory: Memory): Listener | undefined {
  const { trigger: wanted, delivery, ...rest } = unbound
  const trigger = 'id' in wanted ? memory.triggers.get(wanted.id) : memory.named(wanted.fullname)
  if (!trigger) return undefined
  if ('forWorkspace' in wanted && !trigger.isPublic && trigger.workspaceId !== wanted.forWorkspace) return undefined
  return {
    ...rest,
    triggerId: trigger.id,
    projectId: trigger.projectId,
    delivery: delivery ?? deliveryOf(trigger) ?? continuous,
  }
}

function deliveryOf({ definition }: Live): Listener['delivery'] | undefined {
  const delivery = definition.defaults?.delivery
  return isDelivery(delivery) ? delivery : undefined
}

function isDelivery(value: unknown): value is Listener['delivery'] {
  return typeof value === 'object' && value !== null && 'mode' in value
}
