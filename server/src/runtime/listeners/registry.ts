import type { TemplateToExpand } from '../../store/following/listeners.ts'
import type { ListToMatch } from '../../store/identity/address-lists.ts'
import type { LiveSource } from './live-source.ts'
import type { History, Listener, RegisteredTrigger } from './live-trigger.ts'
import { SourceIndex } from './source-index.ts'

/**
 * Holds the live triggers, their listeners and one index for each source. All methods are synchronous, so code that
 * matches a block never sees a half-made change. A change of one listener costs O(1) apart from the index.
 */
export class Registry {
  readonly sources = new Map<string, LiveSource>()
  readonly templates = new Map<string, TemplateToExpand>()
  readonly triggers = new Map<string, RegisteredTrigger>()
  /** The address lists that conditions name. */
  readonly lists = new Map<string, ListToMatch>()
  readonly #names = new Map<string, RegisteredTrigger>()
  /** By subscription. Most have one listener, and an array for each would cost more memory than the listeners. */
  readonly #listeners = new Map<string, Listener | Listener[]>()
  readonly #indexes = new Map<string, SourceIndex>()
  readonly #streams = new Map<string, Set<RegisteredTrigger>>()
  readonly timers = new Set<RegisteredTrigger>()
  /** The subscriptions that run over past blocks, with their listeners; without any if their trigger was deleted. */
  readonly #histories = new Map<string, { source: string; listeners: readonly Listener[] }>()

  index(source: string): SourceIndex | undefined {
    return this.#indexes.get(source)
  }

  findByName(fullname: string): RegisteredTrigger | undefined {
    return this.#names.get(fullname)
  }

  /** Triggers that listen to a stream, whether they may read it or not. */
  dependentsOf(stream: string): ReadonlySet<RegisteredTrigger> {
    return this.#streams.get(stream) ?? noTriggers
  }

  /** The triggers that read a source, those without listeners apart. */
  triggersOn(source: string): RegisteredTrigger[] {
    return [...this.triggers.values()].filter((trigger) => sourcesOf(trigger).has(source))
  }

  /** The addresses of a list, if the workspace may use it. */
  addressesOf(list: string, workspaceId: string): string[] | undefined {
    const found = this.lists.get(list)
    return found?.workspace_id === workspaceId ? found.addresses : undefined
  }

  /** The triggers and subscriptions whose conditions name one of these address lists. */
  usersOf(lists: readonly string[]): { triggers: string[]; subscriptions: string[] } {
    const isUser = ({ lists: named = [] }: { lists?: readonly string[] }) => named.some((list) => lists.includes(list))
    const subscriptions = new Set<string>()
    for (const { listeners } of this.triggers.values())
      for (const listener of listeners.values())
        if (listener.lists && isUser(listener)) subscriptions.add(listener.subscriptionId)
    const triggers = [...this.triggers.values()].filter(isUser).map(({ id }) => id)
    return { triggers, subscriptions: [...subscriptions] }
  }

  /** A trigger that may listen to the source before and after stays in the index: it may have many listeners. */
  setSource(fullname: string, source: LiveSource | undefined): void {
    const onSource = this.triggersOn(fullname)
    const before = new Set(onSource.filter((trigger) => this.mayListen(trigger, fullname)))
    if (source) this.sources.set(fullname, source)
    else this.sources.delete(fullname)
    for (const trigger of onSource) {
      const mayListen = this.mayListen(trigger, fullname)
      if (mayListen && !before.has(trigger)) this.#addToIndex(trigger, fullname)
      if (!mayListen && before.has(trigger)) this.#removeFromIndex(trigger, fullname)
    }
  }

  /** Adds a trigger. An earlier version is replaced, and its listeners move to the new one. */
  putTrigger(trigger: RegisteredTrigger): void {
    const before = this.triggers.get(trigger.id)
    if (before) {
      this.#detach(before)
      for (const [key, listener] of before.listeners) trigger.listeners.set(key, listener)
      trigger.since = Math.min(trigger.since, before.since)
    }
    this.triggers.set(trigger.id, trigger)
    this.#names.set(trigger.fullname, trigger)
    if (trigger.feed.kind === 'stream') this.#addToStream(trigger.feed.stream, trigger)
    trigger.hasDependents = this.#hasDependents(trigger.fullname)
    this.#addToFeed(trigger)
  }

  removeTrigger(id: string): void {
    const trigger = this.triggers.get(id)
    if (!trigger) return
    this.#detach(trigger)
    this.triggers.delete(id)
    for (const { key, subscriptionId } of trigger.listeners.values()) this.#removeFromSubscription(subscriptionId, key)
  }

  setListeners(
    subscriptionId: string,
    listeners: readonly Listener[],
    since: number,
    history?: Listener['history'],
  ): void {
    for (const listener of this.listenersOf(subscriptionId)) this.#removeListener(listener)
    const [only] = listeners
    if (!only) this.#listeners.delete(subscriptionId)
    else this.#listeners.set(subscriptionId, listeners.length === 1 ? only : [...listeners])
    for (const listener of listeners) this.#addListener(listener, since)
    if (history) this.#histories.set(subscriptionId, { source: history.source, listeners })
    else this.#histories.delete(subscriptionId)
  }

  /** The histories that run on a source, with those of their listeners whose triggers read it. */
  historiesOn(source: string): History[] {
    return [...this.#histories].flatMap(([subscriptionId, history]) => {
      if (history.source !== source) return []
      const parts = history.listeners.flatMap((listener) => {
        const trigger = this.triggers.get(listener.triggerId)
        return trigger && sourcesOf(trigger).has(source) && this.mayListen(trigger, source)
          ? [{ trigger, listener }]
          : []
      })
      return [{ subscriptionId, parts }]
    })
  }

  /** Removes triggers without listeners, then the triggers that only fed those. */
  prune(): void {
    for (let idle = this.#idle(); idle.length > 0; idle = this.#idle())
      for (const trigger of idle) {
        this.#detach(trigger)
        this.triggers.delete(trigger.id)
      }
  }

  #idle(): RegisteredTrigger[] {
    return [...this.triggers.values()].filter(({ listeners, hasDependents }) => listeners.size === 0 && !hasDependents)
  }

  #detach(trigger: RegisteredTrigger): void {
    this.#removeFromFeed(trigger)
    if (this.#names.get(trigger.fullname) === trigger) this.#names.delete(trigger.fullname)
    if (trigger.feed.kind === 'stream') this.#removeFromStream(trigger.feed.stream, trigger)
  }

  #addToFeed(trigger: RegisteredTrigger): void {
    if (trigger.feed.kind === 'timer') this.timers.add(trigger)
    for (const source of sourcesOf(trigger)) this.#addToIndex(trigger, source)
  }

  #removeFromFeed(trigger: RegisteredTrigger): void {
    this.timers.delete(trigger)
    for (const source of sourcesOf(trigger)) this.#removeFromIndex(trigger, source)
  }

  #addToIndex(trigger: RegisteredTrigger, source: string): void {
    if (!this.mayListen(trigger, source)) return
    const index = this.#indexes.get(source) ?? new SourceIndex(source)
    this.#indexes.set(source, index)
    index.addTrigger(trigger)
  }

  #removeFromIndex(trigger: RegisteredTrigger, source: string): void {
    const index = this.#indexes.get(source)
    index?.removeTrigger(trigger)
    if (index?.isEmpty) this.#indexes.delete(source)
  }

  mayListen({ workspaceId }: RegisteredTrigger, source: string): boolean {
    const found = this.sources.get(source)
    return found !== undefined && (found.workspaceId === null || found.workspaceId === workspaceId)
  }

  #addListener(listener: Listener, since: number): void {
    const trigger = this.triggers.get(listener.triggerId)
    if (!trigger) return
    trigger.listeners.set(listener.key, listener)
    trigger.since = Math.min(trigger.since, since)
    for (const source of sourcesOf(trigger))
      if (this.mayListen(trigger, source)) this.#indexes.get(source)?.addListener(trigger, listener)
  }

  #removeListener(listener: Listener): void {
    const trigger = this.triggers.get(listener.triggerId)
    const current = trigger?.listeners.get(listener.key)
    if (!trigger || !current) return
    for (const source of sourcesOf(trigger)) this.#indexes.get(source)?.removeListener(trigger, current)
    trigger.listeners.delete(listener.key)
  }

  listenersOf(subscriptionId: string): readonly Listener[] {
    const listeners = this.#listeners.get(subscriptionId)
    return listeners === undefined ? [] : Array.isArray(listeners) ? listeners : [listeners]
  }

  #removeFromSubscription(subscriptionId: string, key: string): void {
    const left = this.listenersOf(subscriptionId).filter((listener) => listener.key !== key)
    const [only] = left
    if (!only) this.#listeners.delete(subscriptionId)
    else this.#listeners.set(subscriptionId, left.length === 1 ? only : left)
  }

  #addToStream(stream: string, trigger: RegisteredTrigger): void {
    const dependents = this.#streams.get(stream) ?? new Set<RegisteredTrigger>()
    this.#streams.set(stream, dependents)
    dependents.add(trigger)
    this.#updateFeeder(stream)
  }

  #removeFromStream(stream: string, trigger: RegisteredTrigger): void {
    const dependents = this.#streams.get(stream)
    dependents?.delete(trigger)
    if (dependents?.size === 0) this.#streams.delete(stream)
    this.#updateFeeder(stream)
  }

  /** The trigger whose outputs are the stream runs for all of its items while the stream has listeners. */
  #updateFeeder(stream: string): void {
    const feeder = this.#names.get(stream)
    if (!feeder) return
    const hasDependents = this.#hasDependents(feeder.fullname)
    if (hasDependents === feeder.hasDependents) return
    this.#removeFromFeed(feeder)
    feeder.hasDependents = hasDependents
    this.#addToFeed(feeder)
  }

  #hasDependents(fullname: string): boolean {
    return this.#streams.has(fullname)
  }
}

/** Several bindings may have the same source. */
function sourcesOf({ feed }: RegisteredTrigger): ReadonlySet<string> {
  return feed.kind === 'source' ? new Set(feed.sources.map(({ source }) => source)) : noSources
}

const noSources: ReadonlySet<string> = new Set()
const noTriggers: ReadonlySet<RegisteredTrigger> = new Set()
