/** Who listens to what: live triggers and subscriptions in memory, kept up with the store, one index for each source. */

import type { Engine } from '../../engine/engine.ts'
import { makeInterner } from '../../engine/fan-out/index.ts'
import type { Network } from '../../engine/sources/networks.ts'
import type { Change } from '../../store/core/changes.ts'
import type { LiveSubscription, TriggerToRun } from '../../store/following/listeners.ts'
import type { Store } from '../../store/index.ts'
import { bindListener, type Gathering, gather } from './gather.ts'
import type { LiveTrigger } from './listener.ts'
import type { Live } from './live.ts'
import { type LiveSource, liveCustomSource, liveNetwork } from './live-source.ts'
import { Memory } from './memory.ts'
import type { Prepare } from './read-trigger.ts'
import { earlyFilterOf, type SourceIndex } from './source-index.ts'
import { hasValues, type Subject, takesFromStream, takesHealth } from './streams.ts'

export type { Listener, LiveTrigger } from './listener.ts'
export type { Feed, Live } from './live.ts'
export type { LiveSource } from './live-source.ts'
export { earlyFilterOf, type SourceIndex } from './source-index.ts'

export type Listeners = {
  /** All anew. Before it, nobody listens. */
  load(): Promise<void>
  /** Applies everything that was committed before the call. */
  refresh(): Promise<void>
  trigger(id: string): LiveTrigger | undefined
  /**
   * Triggers that listen to a stream: the outputs of `<trigger>`, or `<source>.events`. An item counts for one only if
   * `acceptsItem` says so.
   */
  listenersOfStream(stream: string): LiveTrigger[]
  /** Triggers that listen to another one's health, `<trigger>.events`. */
  listenersOfHealth(subject: Subject): LiveTrigger[]
  /** Whether an item of its stream has the values that the trigger's backend asks for. */
  acceptsItem(trigger: LiveTrigger, item: Record<string, unknown>): boolean
  /** The keys of the listeners for whom the item may lead to something, as far as the item alone tells. */
  concernedBy(trigger: LiveTrigger, item: Record<string, unknown>): string[]
  /** The names of sources that somebody listens to. */
  sources(): ReadonlySet<string>
  source(fullname: string): LiveSource | undefined
  /** Custom sources, and built-in networks that have an endpoint. */
  allSources(): Iterable<LiveSource>
  /** Undefined while nobody listens to the source. */
  index(source: string): SourceIndex | undefined
  timers(): ReadonlySet<Live>
  counts(): { triggers: number; listeners: number }
}
export type ListenersOptions = {
  store: Store
  engine: Pick<Engine, 'chain'>
  networks: readonly Network[]
  warn(fields: Record<string, unknown>, message: string): void
  now?: () => number
}

/** Only those who listen to one stream, for whoever has no engine of his own: as of now, and never refreshed. */
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
/** Changes are kept for an hour; who has not looked for nearly as long may have missed some. */
const trustedMs = 50 * 60_000

export function makeListeners(
  { store, engine, networks, warn, now = () => performance.now() }: ListenersOptions,
  only?: readonly LiveSubscription[],
): Listeners {
  let memory = new Memory()
  const prepare: Prepare = async (kind, spec) => (await engine.chain(kind)).items.prepare(spec)
  let position: { xid: string; seen: Map<string, string> } | undefined
  let lookedAt = now()

  const gathering = (memory: Memory): Gathering => ({ store, memory, prepare, interner: makeInterner() })

  /** Beside what is in use, which it then replaces at once. */
  async function load(): Promise<void> {
    const startedAt = now()
    const xid = await store.changes.findOldestXid()
    const fresh = new Memory()
    for (const network of networks) setNetwork(fresh, network)
    for (const row of await store.customSources.listAll()) fresh.setSource(row.fullname, liveCustomSource(store, row))
    const context = gathering(fresh)
    for await (const rows of only ? [only] : pages(store)) {
      await learnTemplates(store, fresh, rows)
      await absorb(context, rows, [], [])
    }
    fresh.prune()
    memory = fresh
    position = { xid, seen: new Map() }
    lookedAt = startedAt
  }

  /** Subscriptions among `ids` that have no row are live no longer. */
  async function absorb(
    context: Gathering,
    rows: readonly LiveSubscription[],
    anew: readonly TriggerToRun[],
    ids: readonly string[],
  ): Promise<void> {
    const { memory } = context
    const { subscriptions, triggers } = await gather(context, rows, anew)
    for (const trigger of triggers) {
      memory.putTrigger(trigger)
      const problem = trigger.feed.kind === 'none' ? trigger.feed.problem : undefined
      if (problem) warn({ trigger: trigger.fullname, problem }, 'a trigger cannot be made ready and is left out')
    }
    const silent = new Set(ids)
    for (const { id, listeners: unbound, since } of subscriptions) {
      silent.delete(id)
      const listeners = unbound.flatMap((one) => bindListener(one, memory) ?? [])
      memory.setListeners(id, listeners, since)
    }
    for (const id of silent) memory.setListeners(id, [], 0)
  }

  async function refresh(): Promise<void> {
    if (!position || now() - lookedAt > trustedMs) return load()
    const startedAt = now()
    const { changes, oldestXid } = await store.changes.listFrom(position.xid)
    const { seen } = position
    const fresh = changes.filter(({ id }) => !seen.has(id))
    if (fresh.length > 0) await apply(fresh)
    for (const { id, xid } of fresh) seen.set(id, xid)
    for (const [id, xid] of seen) if (BigInt(xid) < BigInt(oldestXid)) seen.delete(id)
    position.xid = oldestXid
    lookedAt = startedAt
  }

  async function apply(changes: readonly Change[]): Promise<void> {
    const changed = byKind(changes)
    const sources = await store.customSources.findAll(changed.source)
    const templates = await store.listeners.findTemplates(changed.template)
    const ofProjects = changed.project.length > 0 ? await store.listeners.findTriggersOfProjects(changed.project) : []
    const triggerIds = [...new Set([...changed.trigger, ...ofProjects])]
    const rows = triggerIds.length > 0 ? await store.listeners.findTriggers(triggerIds, []) : []
    const touchedTemplates = [...changed.template, ...templatesNaming(memory, rows, triggerIds)]
    const touched = { templates: touchedTemplates, projects: changed.project, accounts: changed.account }
    const isTouching = Object.values(touched).some((list) => list.length > 0)
    const ids = [
      ...new Set([...changed.subscription, ...(isTouching ? await store.listeners.findAffected(touched) : [])]),
    ]
    const subscriptions = ids.length > 0 ? await store.listeners.find(ids) : []

    // From here on the templates are the new ones; the rest changes at once, inside `absorb`.
    for (const id of changed.template) memory.templates.delete(id)
    for (const template of templates) memory.templates.set(template.id, template)
    await learnTemplates(store, memory, subscriptions)
    const anew = rows.filter((row) => isWanted(memory, row))
    await absorb(gathering(memory), subscriptions, anew, ids)
    const found = new Set(rows.map(({ id }) => id))
    for (const id of triggerIds) if (!found.has(id)) memory.removeTrigger(id)
    const known = new Map(sources.map((row) => [row.fullname, liveCustomSource(store, row)]))
    for (const fullname of changed.source) memory.setSource(fullname, known.get(fullname))
    memory.prune()
  }

  const inTurn = oneAfterTheOther()
  return {
    load: () => inTurn(load),
    refresh: () => inTurn(refresh),
    trigger: (id) => memory.triggers.get(id),
    listenersOfStream: (stream) => takesFromStream(memory, stream),
    listenersOfHealth: (subject) => takesHealth(memory, subject),
    acceptsItem: (trigger, item) => acceptsItem(memory, trigger, item),
    concernedBy: (trigger, item) => concernedBy(memory, trigger, item),
    sources: () => listenedSources(memory),
    source: (fullname) => memory.sources.get(fullname),
    allSources: () => memory.sources.values(),
    index: (source) => memory.index(source),
    timers: () => memory.timers,
    counts: () => countAll(memory),
  }
}

async function* pages(store: Store): AsyncIterable<LiveSubscription[]> {
  for (let ids = await store.listeners.listIds('', pageSize); ids.length > 0; ) {
    yield await store.listeners.find(ids)
    ids = await store.listeners.listIds(ids.at(-1) ?? '', pageSize)
  }
}

function setNetwork(memory: Memory, network: Network): void {
  const source = liveNetwork(network)
  if (source) memory.setSource(source.fullname, source)
}

async function learnTemplates(store: Store, memory: Memory, rows: readonly LiveSubscription[]): Promise<void> {
  const ids = new Set(rows.flatMap(({ template_id: id }) => (id !== null && !memory.templates.has(id) ? [id] : [])))
  if (ids.size === 0) return
  for (const template of await store.listeners.findTemplates([...ids])) memory.templates.set(template.id, template)
}

function byKind(changes: readonly Change[]): Record<Change['kind'], string[]> {
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
  }
}

/** A rule names its trigger: one that came, went or has another name changes what the rule stands for. */
function templatesNaming(memory: Memory, rows: readonly TriggerToRun[], ids: readonly string[]): string[] {
  const names = new Set(rows.map(({ fullname }) => fullname))
  for (const id of ids) {
    const before = memory.triggers.get(id)
    if (before) names.add(before.fullname)
  }
  return [...memory.templates.values()]
    .filter(({ rules }) => rules.some(({ trigger }) => names.has(trigger)))
    .map(({ id }) => id)
}

/** One that is in memory already, or whose outputs somebody waits for. */
function isWanted(memory: Memory, { id, fullname }: TriggerToRun): boolean {
  return memory.triggers.has(id) || memory.stream(fullname).size > 0
}

function acceptsItem(memory: Memory, { id }: LiveTrigger, item: Record<string, unknown>): boolean {
  const feed = memory.triggers.get(id)?.feed
  return feed?.kind === 'stream' && hasValues(item, feed.values)
}

function concernedBy(memory: Memory, { id }: LiveTrigger, item: Record<string, unknown>): string[] {
  const trigger = memory.triggers.get(id)
  if (!trigger) return []
  return [...trigger.listeners.values()]
    .filter((listener) => earlyFilterOf(trigger, listener)(item))
    .map(({ key }) => key)
}

function listenedSources(memory: Memory): ReadonlySet<string> {
  return new Set([...memory.sources.keys()].filter((source) => memory.index(source) !== undefined))
}

function countAll(memory: Memory): { triggers: number; listeners: number } {
  let listeners = 0
  for (const trigger of memory.triggers.values()) listeners += trigger.listeners.size
  return { triggers: memory.triggers.size, listeners }
}

/** A call that comes while another is at work waits for one that starts after it; many that wait share that one. */
function oneAfterTheOther() {
  let running: Promise<void> = Promise.resolve()
  const waiting = new Map<() => Promise<void>, Promise<void>>()
  return (work: () => Promise<void>): Promise<void> => {
    const known = waiting.get(work)
    if (known) return known
    const mine = running.then(
      () => begin(),
      () => begin(),
    )
    const begin = () => {
      waiting.delete(work)
      return work()
    }
    waiting.set(work, mine)
    running = mine
    return mine
  }
}
