import { type HealthItem, healthStreamOf, workspaceOfHealth } from '@tocsin/contract'
import { parsePath, readPath } from '../../engine/base/paths.ts'
import { sameKey } from '../../engine/conditions/comparison.ts'
import type { Engine } from '../../engine/engine.ts'
import { makeInterner } from '../../engine/fan-out/index.ts'
import type { Network } from '../../engine/sources/networks.ts'
import type { ChangesPosition } from '../../store/core/changes.ts'
import { changesChannel, type Notifications } from '../../store/core/notifications.ts'
import type { LiveSubscription } from '../../store/following/listeners.ts'
import type { Store } from '../../store/index.ts'
import { applyChanges, putSubscriptions, readTemplates } from './apply-changes.ts'
import { earlyFilterOf } from './item-filters.ts'
import { type LiveSource, liveCustomSource, liveNetwork } from './live-source.ts'
import { type History, isOnHealth, type Listener, type LiveTrigger, type RegisteredTrigger } from './live-trigger.ts'
import type { Prepare } from './read-trigger.ts'
import { Registry } from './registry.ts'
import type { SourceIndex } from './source-index.ts'

export type Listeners = {
  /** Reads everything from the store. Before the first load there are no listeners. */
  load(): Promise<void>
  /** Applies everything that was committed before the call. */
  refresh(): Promise<void>
  /** Refreshes only if something may have changed; a change whose notice is still on its way is missed. */
  refreshIfNoticed(): Promise<void>
  /** Grows with each applied change: a block that was matched at an older version may match now. */
  version(): number
  trigger(id: string): LiveTrigger | undefined
  listenersOf(subscriptionId: string): readonly Listener[]
  /**
   * Triggers that listen to a stream: the outputs of `<trigger>`, or `<source>.events`. An item counts for a trigger only
   * if `acceptsItem` is true for it.
   */
  listenersOfStream(stream: string): LiveTrigger[]
  /** Triggers that listen to another trigger's health, `<trigger>.events`. */
  listenersOfHealth(subject: HealthSubject): LiveTrigger[]
  /** Triggers that listen to the health of the workspaces that a change concerns. */
  listenersOfWorkspaceHealth(change: HealthItem): LiveTrigger[]
  /** True if an item of the stream has the values that the trigger's backend requires. */
  acceptsItem(trigger: LiveTrigger, item: Record<string, unknown>): boolean
  /** The keys of the listeners for which the item may cause an alert, as far as the item alone shows. */
  listenersFor(trigger: LiveTrigger, item: Record<string, unknown>): string[]
  /** The names of sources that have listeners. */
  sources(): ReadonlySet<string>
  source(fullname: string): LiveSource | undefined
  /** Custom sources, and built-in networks that have an endpoint. */
  allSources(): Iterable<LiveSource>
  /** Undefined if the source has no listeners. */
  index(source: string): SourceIndex | undefined
  timers(): ReadonlySet<RegisteredTrigger>
  /** The subscriptions that run over past blocks of a source. */
  histories(source: string): History[]
  counts(): { triggers: number; listeners: number }
}
export type ListenersOptions = {
  store: Store
  engine: Pick<Engine, 'chain'>
  networks: readonly Network[]
  warn(fields: Record<string, unknown>, message: string): void
  now?: () => number
  /** Without it, every refresh reads the store. */
  notifications?: Notifications
}

/** Reads only the listeners of one stream, once, for a process that runs no loops. */
export async function loadStream(
  { store, engine, networks }: Pick<ListenersOptions, 'store' | 'engine' | 'networks'>,
  stream: string,
): Promise<Listeners> {
  const rows = await store.listeners.findByStream(stream)
  const listeners = makeListeners({ store, engine, networks, warn: () => undefined }, rows)
  await listeners.load()
  return listeners
}

const pageSize = 1_000
/** The store keeps changes for an hour. After nearly that time without a refresh, everything is read again. */
const changesTrustedMs = 50 * 60_000
/** Changes are read this often even if no notice arrives. */
const refreshUnnoticedMs = 5_000

/**
 * Keeps the registry up to date. `load` reads everything into a new registry and then replaces the old one. `refresh`
 * reads the changes that were committed since the last call and applies them.
 */
export function makeListeners(
  { store, engine, networks, warn, now = () => performance.now(), notifications }: ListenersOptions,
  only?: readonly LiveSubscription[],
): Listeners {
  let registry = new Registry()
  const prepare: Prepare = async (kind, spec) => (await engine.chain(kind)).items.prepare(spec)
  let position: ChangesPosition | undefined
  let refreshedAt = now()
  let isNoticed = true
  let version = 0
  notifications?.listen(changesChannel, (table) => {
    if (table === undefined || table === 'changes') isNoticed = true
  })
  const contextOf = (registry: Registry) => ({ store, registry, prepare, interner: makeInterner(), warn })

  async function load(): Promise<void> {
    const startedAt = now()
    const loadedFrom = await store.changes.findPosition()
    const loaded = new Registry()
    for (const network of networks) setNetwork(loaded, network)
    for (const row of await store.customSources.listAll()) loaded.setSource(row.fullname, liveCustomSource(store, row))
    const context = contextOf(loaded)
    for await (const rows of only ? [only] : pages(store)) {
      await readTemplates(store, loaded, rows)
      await putSubscriptions(context, rows)
    }
    loaded.prune()
    registry = loaded
    position = loadedFrom
    refreshedAt = startedAt
    version += 1
  }

  async function refresh(): Promise<void> {
    if (!position || now() - refreshedAt > changesTrustedMs) return load()
    const startedAt = now()
    const read = await store.changes.listSince(position)
    if (read.changes.length > 0) {
      // Raised before too: a block that is matched while the changes are applied is matched again.
      version += 1
      await applyChanges(contextOf(registry), read.changes)
      version += 1
    }
    position = read.position
    refreshedAt = startedAt
  }

  /** A notice that arrives during the run asks for another one; a failed run is repeated. */
  async function refreshNoticed(): Promise<void> {
    isNoticed = false
    try {
      await refresh()
    } catch (error) {
      isNoticed = true
      throw error
    }
  }
  const mayHaveChanged = () => isNoticed || !notifications?.isUp || now() - refreshedAt > refreshUnnoticedMs

  const runSerially = makeSerialRunner()
  return {
    load: () => runSerially(load),
    refresh: () => runSerially(refreshNoticed),
    refreshIfNoticed: async () => {
      if (mayHaveChanged()) await runSerially(refreshNoticed)
    },
    version: () => version,
    trigger: (id) => registry.triggers.get(id),
    listenersOf: (subscriptionId) => registry.listenersOf(subscriptionId),
    listenersOfStream: (stream) => triggersOnStream(registry, stream),
    listenersOfHealth: (subject) => triggersOnHealth(registry, subject),
    listenersOfWorkspaceHealth: (change) => triggersOnWorkspaceHealth(registry, change),
    acceptsItem: (trigger, item) => acceptsItem(registry, trigger, item),
    listenersFor: (trigger, item) => listenersFor(registry, trigger, item),
    sources: () => sourcesWithListeners(registry),
    source: (fullname) => registry.sources.get(fullname),
    allSources: () => registry.sources.values(),
    index: (source) => registry.index(source),
    timers: () => registry.timers,
    histories: (source) => registry.historiesOn(source),
    counts: () => countAll(registry),
  }
}

/** PostgreSQL reads a page while the one before it is put into the registry. */
async function* pages(store: Store): AsyncIterable<LiveSubscription[]> {
  for (let reading = readPage(store, ''); ; ) {
    const { rows, last } = await reading
    if (last === undefined) return
    reading = readPage(store, last)
    // If the reader of the pages fails first, nobody waits for this page.
    reading.catch(() => undefined)
    yield rows
  }
}

async function readPage(store: Store, after: string): Promise<{ rows: LiveSubscription[]; last: string | undefined }> {
  const ids = await store.listeners.listIds(after, pageSize)
  return { rows: ids.length > 0 ? await store.listeners.find(ids) : [], last: ids.at(-1) }
}

function setNetwork(registry: Registry, network: Network): void {
  const source = liveNetwork(network)
  if (source) registry.setSource(source.fullname, source)
}

function acceptsItem(registry: Registry, { id }: LiveTrigger, item: Record<string, unknown>): boolean {
  const feed = registry.triggers.get(id)?.feed
  return feed?.kind === 'stream' && hasValues(item, feed.values)
}

function listenersFor(registry: Registry, { id }: LiveTrigger, item: Record<string, unknown>): string[] {
  const trigger = registry.triggers.get(id)
  if (!trigger) return []
  return [...trigger.listeners.values()]
    .filter((listener) => !listener.history && earlyFilterOf(trigger, listener)(item))
    .map(({ key }) => key)
}

function sourcesWithListeners(registry: Registry): ReadonlySet<string> {
  return new Set([...registry.sources.keys()].filter((source) => registry.index(source) !== undefined))
}

function countAll(registry: Registry): { triggers: number; listeners: number } {
  let listeners = 0
  for (const trigger of registry.triggers.values()) listeners += trigger.listeners.size
  return { triggers: registry.triggers.size, listeners }
}

/**
 * Runs calls one after the other. A call during a run waits for a run that starts after it; several such calls share that
 * one run.
 */
function makeSerialRunner() {
  let running: Promise<void> = Promise.resolve()
  const waiting = new Map<() => Promise<void>, Promise<void>>()
  return (work: () => Promise<void>): Promise<void> => {
    const shared = waiting.get(work)
    if (shared) return shared
    const start = () => {
      waiting.delete(work)
      return work()
    }
    const next = running.then(start, start)
    waiting.set(work, next)
    running = next
    return next
  }
}

/** Triggers that listen to a stream and may read it: it belongs to their workspace or is public. */
function triggersOnStream(registry: Registry, stream: string): RegisteredTrigger[] {
  return [...registry.dependentsOf(stream)].filter((trigger) => mayRead(registry, trigger, stream))
}

function mayRead(registry: Registry, trigger: RegisteredTrigger, stream: string): boolean {
  const workspace = workspaceOfHealth(stream)
  if (workspace !== undefined) return workspaceOf(trigger.fullname) === workspace
  const feeder = registry.findByName(stream)
  if (feeder) return feeder.isPublic || feeder.workspaceId === trigger.workspaceId
  const [source] = /^(.+)\.events$/.exec(stream)?.slice(1) ?? []
  return source !== undefined && registry.mayListen(trigger, source)
}

/** The trigger whose health changed. */
type HealthSubject = { id: string; fullname: string; workspaceId: string; isPublic: boolean }

/** Triggers that listen to another trigger's health and may read it. A trigger never gets its own health: that could loop. */
function triggersOnHealth(registry: Registry, subject: HealthSubject): RegisteredTrigger[] {
  const stream = `${subject.fullname}.events`
  // If a trigger has this name, the stream is that trigger's outputs and not the health.
  if (registry.findByName(stream)) return []
  return [...registry.dependentsOf(stream)].filter(
    ({ id, workspaceId }) => id !== subject.id && (subject.isPublic || subject.workspaceId === workspaceId),
  )
}

/**
 * A change concerns the workspace that owns the entity; a change of a source also every workspace whose live triggers read
 * it. Triggers that listen to a health themselves are not told of, because two of them could tell each other for ever.
 */
function triggersOnWorkspaceHealth(registry: Registry, { type, name }: HealthItem): RegisteredTrigger[] {
  const subject = type === 'trigger' ? registry.findByName(name) : undefined
  if (subject && isOnHealth(subject)) return []
  const users = type === 'source' ? registry.triggersOn(name).map(({ fullname }) => workspaceOf(fullname)) : []
  return [...new Set([workspaceOf(name), ...users])].flatMap((workspace) =>
    triggersOnStream(registry, healthStreamOf(workspace)),
  )
}

/** Names begin with that of their workspace. */
function workspaceOf(fullname: string): string {
  return fullname.split('.', 1)[0] ?? ''
}

/** True if the item has each of the backend's values at the path that names it. */
function hasValues(item: Record<string, unknown>, values: Record<string, unknown>): boolean {
  return Object.entries(values).every(([path, wanted]) => {
    const actual = readPath(item, parsePath(path))
    return sameKey(actual) !== undefined
      ? sameKey(actual) === sameKey(wanted)
      : JSON.stringify(actual) === JSON.stringify(wanted)
  })
}
