import { type Matches, makeTriggerIndex, type RawItem, type TriggerIndex } from '../../engine/match/index.ts'
import type { BlockPart, WantedParts } from '../../engine/sources/block.ts'
import type { SpecItems } from '../../engine/sources/raw-items.ts'
import { entryId, ListenerEntry, type NumberedTrigger } from './listener-entry.ts'
import type { Listener, RegisteredTrigger } from './live-trigger.ts'
import { MatchCollector } from './match-collector.ts'

/** Indexes one source's triggers and listeners by what they require of an item. */
export class SourceIndex {
  /** Created with the first entry, because its spec says how the chain's items are looked up. */
  #index: TriggerIndex<ListenerEntry> | undefined
  readonly #triggers = new Map<RegisteredTrigger, NumberedTrigger>()
  readonly collector = new MatchCollector()
  #wanted: WantedParts | undefined

  get isEmpty(): boolean {
    return this.#triggers.size === 0
  }

  /** The parts of a block that must be fetched. */
  get wanted(): WantedParts {
    this.#wanted ??= wantedBy([...this.specs()])
    return this.#wanted
  }

  /** The time in milliseconds of the first listener. A trigger that only feeds other triggers has none and is skipped. */
  get since(): number {
    let first = Number.POSITIVE_INFINITY
    for (const { since } of this.#triggers.keys()) first = Math.min(first, since)
    return Number.isFinite(first) ? first : 0
  }

  *specs(): Iterable<SpecItems> {
    for (const { items } of this.#triggers.values()) yield items
  }

  addTrigger(trigger: RegisteredTrigger): void {
    const { feed } = trigger
    if (feed.kind !== 'source') return
    this.#triggers.set(trigger, { trigger, items: feed.items, number: this.collector.takeNumber() })
    this.#wanted = undefined
    for (const listener of trigger.listeners.values()) this.addListener(trigger, listener)
    if (trigger.hasDependents) this.#add(trigger, undefined)
  }

  removeTrigger(trigger: RegisteredTrigger): void {
    const known = this.#triggers.get(trigger)
    if (!known) return
    for (const listener of trigger.listeners.values()) this.removeListener(trigger, listener)
    if (trigger.hasDependents) this.#remove(trigger, undefined)
    this.collector.freeNumber(known.number)
    this.#triggers.delete(trigger)
    this.#wanted = undefined
  }

  addListener(trigger: RegisteredTrigger, listener: Listener): void {
    this.#add(trigger, listener)
  }

  removeListener(trigger: RegisteredTrigger, listener: Listener): void {
    this.#remove(trigger, listener)
  }

  /**
   * Returns the triggers and listeners that may match a raw item. All entries of a group decode it to the same item. The
   * early filter must still check the `candidates` on that item.
   */
  lookUp(rawItem: RawItem): readonly Matches<ListenerEntry>[] {
    return this.#index?.matches(rawItem) ?? []
  }

  #add(trigger: RegisteredTrigger, listener: Listener | undefined): void {
    const known = this.#triggers.get(trigger)
    if (!known) return
    const { indexing, keys: all } = known.items
    this.#index ??= makeTriggerIndex(indexing)
    for (const [at, keys] of all.entries()) this.#index.add(new ListenerEntry(known, listener, at, keys))
  }

  #remove(trigger: RegisteredTrigger, listener: Listener | undefined): void {
    const keys = this.#triggers.get(trigger)?.items.keys ?? []
    for (const at of keys.keys()) this.#index?.remove(entryId(trigger, listener, at))
  }
}

/** Endpoints refuse longer lists of contracts. */
const addressesMax = 100

function wantedBy(specs: readonly SpecItems[]): WantedParts {
  const parts = [...new Set<BlockPart>(specs.flatMap(({ neededParts }) => neededParts))]
  const ofLogs = specs.filter(({ neededParts }) => neededParts.includes('logs'))
  if (ofLogs.length === 0 || ofLogs.some(({ addresses }) => addresses === undefined)) return { parts }
  const addresses = [...new Set(ofLogs.flatMap(({ addresses = [] }) => addresses))]
  return addresses.length > addressesMax ? { parts } : { parts, addresses }
}
