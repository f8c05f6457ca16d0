import type { SourceItem } from '../../engine/base/source-item.ts'
import { compileEarlyFilter, type Requirements, readRequirements } from '../../engine/conditions/index.ts'
import {
  type IndexEntry,
  type MatchKeys,
  makeTriggerIndex,
  type RawItem,
  type TriggerIndex,
} from '../../engine/match/index.ts'
import type { BlockPart, WantedParts } from '../../engine/sources/block.ts'
import type { SpecItems } from '../../engine/sources/raw-items.ts'
import type { Listener, RegisteredTrigger } from './live-trigger.ts'

/** A trigger whose listeners an item may concern: the item as the trigger decodes it, and the keys of these listeners. */
export type TriggerMatch = { trigger: RegisteredTrigger; item: SourceItem; listeners: Set<string>; isMatch: boolean }

/** Indexes one source's triggers and listeners by what they require of an item. */
export class SourceIndex {
  /** Created with the first entry, because its spec says how the chain's items are looked up. */
  #index: TriggerIndex<Entry> | undefined
  readonly #triggers = new Set<RegisteredTrigger>()
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
    const known = [...this.#triggers].map(({ since }) => since).filter(Number.isFinite)
    return known.length > 0 ? Math.min(...known) : 0
  }

  *specs(): Iterable<SpecItems> {
    for (const { feed } of this.#triggers) if (feed.kind === 'source') yield feed.items
  }

  addTrigger(trigger: RegisteredTrigger): void {
    this.#triggers.add(trigger)
    this.#wanted = undefined
    for (const listener of trigger.listeners.values()) this.addListener(trigger, listener)
    if (trigger.hasDependents) this.#add(trigger, undefined)
  }

  removeTrigger(trigger: RegisteredTrigger): void {
    this.#triggers.delete(trigger)
    this.#wanted = undefined
    for (const listener of trigger.listeners.values()) this.removeListener(trigger, listener)
    if (trigger.hasDependents) this.#remove(trigger, idOf(trigger, undefined))
  }

  addListener(trigger: RegisteredTrigger, listener: Listener): void {
    this.#add(trigger, listener)
  }

  removeListener(trigger: RegisteredTrigger, listener: Listener): void {
    this.#remove(trigger, idOf(trigger, listener))
  }

  /** Matches a raw item. The item is decoded at most once for each trigger that it may concern. */
  match(rawItem: RawItem, itemOf: (trigger: RegisteredTrigger) => SourceItem | undefined): TriggerMatch[] {
    const matches = new Map<RegisteredTrigger, TriggerMatch | null>()
    const matchOf = (trigger: RegisteredTrigger): TriggerMatch | null => {
      const known = matches.get(trigger)
      if (known !== undefined) return known
      const item = itemOf(trigger)
      const match = item === undefined ? null : { trigger, item, listeners: new Set<string>(), isMatch: false }
      matches.set(trigger, match)
      return match
    }
    for (const { proven, candidates } of this.#index?.matches(rawItem) ?? []) {
      for (const { trigger, listener } of proven) addListenerTo(matchOf(trigger), listener)
      for (const entry of candidates) {
        const match = matchOf(entry.trigger)
        if (match && entry.passes(match.item)) addListenerTo(match, entry.listener)
      }
    }
    return [...matches.values()].filter((match) => match !== null).filter(({ isMatch }) => isMatch)
  }

  #add(trigger: RegisteredTrigger, listener: Listener | undefined): void {
    if (trigger.feed.kind !== 'source') return
    const id = idOf(trigger, listener)
    const { indexing, keys: all } = trigger.feed.items
    this.#index ??= makeTriggerIndex(indexing)
    for (const [at, keys] of all.entries()) this.#index.add(new Entry(numberedId(id, at), keys, trigger, listener))
  }

  #remove(trigger: RegisteredTrigger, id: string): void {
    if (trigger.feed.kind !== 'source') return
    for (const at of trigger.feed.items.keys.keys()) this.#index?.remove(numberedId(id, at))
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

function addListenerTo(match: TriggerMatch | null, listener: Listener | undefined): void {
  if (!match) return
  match.isMatch = true
  if (listener) match.listeners.add(listener.key)
}

function idOf(trigger: RegisteredTrigger, listener: Listener | undefined): string {
  return listener?.key ?? `stream ${trigger.id}`
}

/** The number comes first, because the author of a rule chooses the end of an id: a numbered end could equal another id. */
function numberedId(id: string, at: number): string {
  return at === 0 ? id : `${at} ${id}`
}

const noRequirements: Requirements = { requirements: [], requirementsSuffice: true }

class Entry implements IndexEntry {
  readonly id: string
  readonly keys: MatchKeys
  readonly trigger: RegisteredTrigger
  readonly listener: Listener | undefined
  #earlyFilter: ((item: unknown) => boolean) | undefined

  constructor(id: string, keys: MatchKeys, trigger: RegisteredTrigger, listener: Listener | undefined) {
    this.id = id
    this.keys = keys
    this.trigger = trigger
    this.listener = listener
  }

  get decoder(): SpecItems | undefined {
    return this.trigger.feed.kind === 'source' ? this.trigger.feed.items : undefined
  }

  /** Computed only when the entry is added and removed. Keeping them for 100,000 entries would cost more memory. */
  get requirements(): Requirements['requirements'] {
    return requirementsFor(this.trigger, this.listener).requirements
  }

  get requirementsSuffice(): boolean {
    return requirementsFor(this.trigger, this.listener).requirementsSuffice
  }

  /** Compiled for the first item: most entries are decided by their requirements and never need the filter. */
  passes(item: SourceItem): boolean {
    this.#earlyFilter ??= earlyFilterOf(this.trigger, this.listener)
    return this.#earlyFilter(item)
  }
}

function requirementsFor(trigger: RegisteredTrigger, listener: Listener | undefined): Requirements {
  if (!listener || needsAllItems(trigger, listener)) return noRequirements
  const { filtersSchema = {} } = trigger.definition
  return readRequirements(listener.conditions, { filtersSchema, inputs: listener.inputs })
}

/** A filter that is false if the item alone shows that it cannot cause an alert for the listener. */
export function earlyFilterOf(trigger: RegisteredTrigger, listener: Listener | undefined): (item: unknown) => boolean {
  if (!listener || needsAllItems(trigger, listener)) return () => true
  const { filtersSchema = {} } = trigger.definition
  return compileEarlyFilter(listener.conditions, { filtersSchema, inputs: listener.inputs })
}

/** State windows and monitors also need items that do not meet the conditions. */
function needsAllItems({ isOrdered }: RegisteredTrigger, { policy }: Listener): boolean {
  return isOrdered || policy?.type === 'monitor'
}
