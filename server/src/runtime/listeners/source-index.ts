import { type Matches, makeTriggerIndex, type RawItem, type TriggerIndex } from '../../engine/match/index.ts'
import { bindItems } from '../../engine/sources/bindings.ts'
import type { BlockPart, Factory, WantedParts } from '../../engine/sources/block.ts'
import { onlyMembers } from '../../engine/sources/factory.ts'
import type { ItemReader, SpecItems } from '../../engine/sources/raw-items.ts'
import {
  entryId,
  type IndexedSource,
  ListenerEntry,
  type NumberedKeys,
  type NumberedTrigger,
} from './listener-entry.ts'
import type { BoundSource, Listener, RegisteredTrigger } from './live-trigger.ts'
import { MatchCollector } from './match-collector.ts'

/** A trigger on contracts of a factory, with the contracts that are known so far. */
export type FactoryTrigger = { triggerId: string; factory: Factory; members: Set<string> }

/** Indexes one source's triggers and listeners by what they require of an item. */
export class SourceIndex {
  readonly #source: string
  /** Created with the first entry, because its spec says how the chain's items are looked up. */
  #index: TriggerIndex<ListenerEntry> | undefined
  readonly #triggers = new Map<RegisteredTrigger, NumberedTrigger>()
  /** Few triggers name a factory, and each block needs these. */
  readonly #factories = new Map<RegisteredTrigger, FactoryTrigger[]>()
  /** By decoder. Entries whose specs share a decoder share a reader, so a hit loads no reader of its own from memory. */
  readonly #readers = new WeakMap<object, ItemReader>()
  readonly collector = new MatchCollector()
  #wanted: WantedParts | undefined
  /** The name of the source's network, which items of bindings carry. The follower sets it before it matches a block. */
  network = 'unknown'

  constructor(source: string) {
    this.#source = source
  }

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
    for (const { sources } of this.#triggers.values()) for (const { items } of sources) yield items
  }

  /** The triggers on contracts of a factory. */
  get factories(): readonly FactoryTrigger[] {
    return [...this.#factories.values()].flat()
  }

  addTrigger(trigger: RegisteredTrigger): void {
    const { feed } = trigger
    if (feed.kind !== 'source') return
    const sources = feed.sources.filter(({ source }) => source === this.#source).map((bound) => this.#bind(bound))
    this.#triggers.set(trigger, { trigger, sources, number: this.collector.takeNumber() })
    const factories = factoriesOf(trigger, sources)
    if (factories.length > 0) this.#factories.set(trigger, factories)
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
    this.#factories.delete(trigger)
    this.#wanted = undefined
  }

  /** A listener with a history is not live yet. */
  addListener(trigger: RegisteredTrigger, listener: Listener): void {
    if (!listener.history) this.#add(trigger, listener)
  }

  removeListener(trigger: RegisteredTrigger, listener: Listener): void {
    if (!listener.history) this.#remove(trigger, listener)
  }

  /**
   * Returns the triggers and listeners that may match a raw item. All entries of a group decode it to the same item. The
   * filters of those that are not `proven` must still check that item.
   */
  lookUp(rawItem: RawItem): readonly Matches<ListenerEntry>[] {
    return this.#index?.matches(rawItem) ?? []
  }

  /** True if a trigger or a listener is on raw items of this type. */
  hasItems(type: string): boolean {
    return this.#index?.hasEntries(type) ?? false
  }

  #add(trigger: RegisteredTrigger, listener: Listener | undefined): void {
    const known = this.#triggers.get(trigger)
    if (!known) return
    for (const numbered of keysOf(known)) {
      this.#index ??= makeTriggerIndex(numbered.items.indexing)
      this.#index.add(new ListenerEntry(known, listener, numbered))
    }
  }

  #remove(trigger: RegisteredTrigger, listener: Listener | undefined): void {
    const known = this.#triggers.get(trigger)
    for (const { keyNumber } of known ? keysOf(known) : []) this.#index?.remove(entryId(trigger, listener, keyNumber))
  }

  #bind(bound: BoundSource): IndexedSource {
    const { binding, items, members } = bound
    const reader = binding ? bindItems(items, binding.id, () => this.network) : this.#share(items)
    return { ...bound, reader: members ? onlyMembers(reader, members) : reader }
  }

  #share(items: SpecItems): ItemReader {
    const { decoder } = items
    if (!decoder) return items
    const reader = this.#readers.get(decoder) ?? items
    this.#readers.set(decoder, reader)
    return reader
  }
}

function factoriesOf({ id: triggerId }: RegisteredTrigger, sources: readonly BoundSource[]): FactoryTrigger[] {
  return sources.flatMap(({ items: { factory }, members }) =>
    factory && members ? { triggerId, factory, members } : [],
  )
}

/** The keys of a trigger on this source, numbered over all its bindings. */
function keysOf({ sources }: NumberedTrigger): NumberedKeys[] {
  return sources
    .flatMap((bound) => bound.items.keys.map((keys) => ({ ...bound, keys })))
    .map((bound, keyNumber) => ({ ...bound, keyNumber }))
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
