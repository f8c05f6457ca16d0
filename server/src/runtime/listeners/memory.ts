import type { TemplateToExpand } from '../../store/following/listeners.ts'
import type { Listener } from './listener.ts'
import type { Live } from './live.ts'
import type { LiveSource } from './live-source.ts'
import { SourceIndex } from './source-index.ts'

/**
 * Who listens to what. Everything here happens at once: between two steps of whoever matches a block, an entry is either
 * as it was or as it will be.
 */
export class Memory {
  readonly sources = new Map<string, LiveSource>()
  readonly templates = new Map<string, TemplateToExpand>()
  readonly triggers = new Map<string, Live>()
  readonly #names = new Map<string, Live>()
  /** Most subscriptions have one listener: a list for each would cost more than the listeners. */
  readonly #listeners = new Map<string, Listener | Listener[]>()
  readonly #indexes = new Map<string, SourceIndex>()
  readonly #streams = new Map<string, Set<Live>>()
  readonly timers = new Set<Live>()

  index(source: string): SourceIndex | undefined {
    return this.#indexes.get(source)
  }

  named(fullname: string): Live | undefined {
    return this.#names.get(fullname)
  }

  stream(name: string): ReadonlySet<Live> {
    return this.#streams.get(name) ?? none
  }

  setSource(fullname: string, source: LiveSource | undefined): void {
    const fed = [...this.triggers.values()].filter(({ feed }) => feed.kind === 'source' && feed.source === fullname)
    for (const trigger of fed) this.#unplace(trigger)
    if (source) this.sources.set(fullname, source)
    else this.sources.delete(fullname)
    for (const trigger of fed) this.#place(trigger)
  }

  /** Takes the place of an earlier version, with all who listen to it. */
  putTrigger(trigger: Live): void {
    const before = this.triggers.get(trigger.id)
    if (before) {
      this.#forget(before)
      for (const [key, listener] of before.listeners) trigger.listeners.set(key, listener)
      trigger.since = Math.min(trigger.since, before.since)
    }
    this.triggers.set(trigger.id, trigger)
    this.#names.set(trigger.fullname, trigger)
    if (trigger.feed.kind === 'stream') this.#listen(trigger.feed.stream, trigger)
    trigger.hasDependents = this.#dependents(trigger.fullname)
    this.#place(trigger)
  }

  removeTrigger(id: string): void {
    const trigger = this.triggers.get(id)
    if (!trigger) return
    this.#forget(trigger)
    this.triggers.delete(id)
    for (const { key, subscriptionId } of trigger.listeners.values()) this.#dropFromSubscription(subscriptionId, key)
  }

  setListeners(subscriptionId: string, listeners: readonly Listener[], since: number): void {
    for (const listener of this.#of(subscriptionId)) this.#dropListener(listener)
    const [only] = listeners
    if (!only) this.#listeners.delete(subscriptionId)
    else this.#listeners.set(subscriptionId, listeners.length === 1 ? only : [...listeners])
    for (const listener of listeners) this.#addListener(listener, since)
  }

  /** Triggers that nobody listens to any more need not be remembered; whoever fed only them goes with them. */
  prune(): void {
    for (let gone = this.#idle(); gone.length > 0; gone = this.#idle())
      for (const trigger of gone) {
        this.#forget(trigger)
        this.triggers.delete(trigger.id)
      }
  }

  #idle(): Live[] {
    return [...this.triggers.values()].filter(({ listeners, hasDependents }) => listeners.size === 0 && !hasDependents)
  }

  #forget(trigger: Live): void {
    this.#unplace(trigger)
    if (this.#names.get(trigger.fullname) === trigger) this.#names.delete(trigger.fullname)
    if (trigger.feed.kind === 'stream') this.#unlisten(trigger.feed.stream, trigger)
  }

  #place(trigger: Live): void {
    const { feed } = trigger
    if (feed.kind === 'timer') this.timers.add(trigger)
    if (feed.kind !== 'source' || !this.mayListen(trigger, feed.source)) return
    const index = this.#indexes.get(feed.source) ?? new SourceIndex()
    this.#indexes.set(feed.source, index)
    index.addTrigger(trigger)
  }

  #unplace(trigger: Live): void {
    const { feed } = trigger
    this.timers.delete(trigger)
    if (feed.kind !== 'source') return
    const index = this.#indexes.get(feed.source)
    index?.removeTrigger(trigger)
    if (index?.isEmpty) this.#indexes.delete(feed.source)
  }

  mayListen({ workspaceId }: Live, source: string): boolean {
    const known = this.sources.get(source)
    return known !== undefined && (known.workspaceId === null || known.workspaceId === workspaceId)
  }

  #addListener(listener: Listener, since: number): void {
    const trigger = this.triggers.get(listener.triggerId)
    if (!trigger) return
    trigger.listeners.set(listener.key, listener)
    trigger.since = Math.min(trigger.since, since)
    const { feed } = trigger
    if (feed.kind === 'source' && this.mayListen(trigger, feed.source))
      this.#indexes.get(feed.source)?.addListener(trigger, listener)
  }

  #dropListener(listener: Listener): void {
    const trigger = this.triggers.get(listener.triggerId)
    const current = trigger?.listeners.get(listener.key)
    if (!trigger || !current) return
    if (trigger.feed.kind === 'source') this.#indexes.get(trigger.feed.source)?.removeListener(trigger, current)
    trigger.listeners.delete(listener.key)
  }

  #of(subscriptionId: string): readonly Listener[] {
    const held = this.#listeners.get(subscriptionId)
    return held === undefined ? [] : Array.isArray(held) ? held : [held]
  }

  #dropFromSubscription(subscriptionId: string, key: string): void {
    const left = this.#of(subscriptionId).filter((listener) => listener.key !== key)
    const [only] = left
    if (!only) this.#listeners.delete(subscriptionId)
    else this.#listeners.set(subscriptionId, left.length === 1 ? only : left)
  }

  #listen(stream: string, trigger: Live): void {
    const known = this.#streams.get(stream) ?? new Set<Live>()
    this.#streams.set(stream, known)
    known.add(trigger)
    this.#tellFeeder(stream)
  }

  #unlisten(stream: string, trigger: Live): void {
    const known = this.#streams.get(stream)
    known?.delete(trigger)
    if (known?.size === 0) this.#streams.delete(stream)
    this.#tellFeeder(stream)
  }

  #tellFeeder(stream: string): void {
    const feeder = this.#names.get(stream)
    if (!feeder) return
    const hasDependents = this.#dependents(feeder.fullname)
    if (hasDependents === feeder.hasDependents) return
    this.#unplace(feeder)
    feeder.hasDependents = hasDependents
    this.#place(feeder)
  }

  #dependents(fullname: string): boolean {
    return this.#streams.has(fullname)
  }
}

const none: ReadonlySet<Live> = new Set()
