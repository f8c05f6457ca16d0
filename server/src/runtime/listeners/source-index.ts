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
import type { Listener } from './listener.ts'
import type { Live } from './live.ts'

/** A trigger that an item concerns, the item as it decodes it, and the keys of those of its listeners who are. */
export type Concerned = { trigger: Live; item: SourceItem; listeners: Set<string>; isConcerned: boolean }

/** One source's triggers and listeners, by what they ask of an item. */
export class SourceIndex {
  /** Made with the first entry: its spec tells how items of the chain are looked up. */
  #index: TriggerIndex<Entry> | undefined
  readonly #triggers = new Set<Live>()
  #wanted: WantedParts | undefined

  get isEmpty(): boolean {
    return this.#triggers.size === 0
  }

  /** What of a block must be fetched. */
  get wanted(): WantedParts {
    this.#wanted ??= wantedBy([...this.specs()])
    return this.#wanted
  }

  /** Since when anybody listens, in milliseconds; those who only feed other triggers have no time of their own. */
  get since(): number {
    const known = [...this.#triggers].map(({ since }) => since).filter(Number.isFinite)
    return known.length > 0 ? Math.min(...known) : 0
  }

  *specs(): Iterable<SpecItems> {
    for (const { feed } of this.#triggers) if (feed.kind === 'source') yield feed.items
  }

  addTrigger(trigger: Live): void {
    this.#triggers.add(trigger)
    this.#wanted = undefined
    for (const listener of trigger.listeners.values()) this.addListener(trigger, listener)
    if (trigger.hasDependents) this.#add(trigger, undefined)
  }

  removeTrigger(trigger: Live): void {
    this.#triggers.delete(trigger)
    this.#wanted = undefined
    for (const listener of trigger.listeners.values()) this.removeListener(trigger, listener)
    if (trigger.hasDependents) this.#remove(trigger, idOf(trigger, undefined))
  }

  addListener(trigger: Live, listener: Listener): void {
    this.#add(trigger, listener)
  }

  removeListener(trigger: Live, listener: Listener): void {
    this.#remove(trigger, idOf(trigger, listener))
  }

  /** The item is decoded at most once for each trigger that may be concerned. */
  concerned(raw: RawItem, itemOf: (trigger: Live) => SourceItem | undefined): Concerned[] {
    const found = new Map<Live, Concerned | null>()
    const of = (trigger: Live): Concerned | null => {
      const known = found.get(trigger)
      if (known !== undefined) return known
      const item = itemOf(trigger)
      const made = item === undefined ? null : { trigger, item, listeners: new Set<string>(), isConcerned: false }
      found.set(trigger, made)
      return made
    }
    for (const { proven, candidates } of this.#index?.matches(raw) ?? []) {
      for (const { trigger, listener } of proven) note(of(trigger), listener)
      for (const entry of candidates) {
        const one = of(entry.trigger)
        if (one && entry.passes(one.item)) note(one, entry.listener)
      }
    }
    return [...found.values()].filter((one) => one !== null).filter(({ isConcerned }) => isConcerned)
  }

  #add(trigger: Live, listener: Listener | undefined): void {
    if (trigger.feed.kind !== 'source') return
    const id = idOf(trigger, listener)
    const { indexing, keys: all } = trigger.feed.items
    this.#index ??= makeTriggerIndex(indexing)
    for (const [at, keys] of all.entries()) this.#index.add(new Entry(idAmong(id, at), keys, trigger, listener))
  }

  #remove(trigger: Live, id: string): void {
    if (trigger.feed.kind !== 'source') return
    for (const at of trigger.feed.items.keys.keys()) this.#index?.remove(idAmong(id, at))
  }
}

/** Endpoints refuse longer lists of contracts. */
const addressesMost = 100

function wantedBy(specs: readonly SpecItems[]): WantedParts {
  const parts = [...new Set<BlockPart>(specs.flatMap(({ looksAt }) => looksAt))]
  const ofLogs = specs.filter(({ looksAt }) => looksAt.includes('logs'))
  if (ofLogs.length === 0 || ofLogs.some(({ addresses }) => addresses === undefined)) return { parts }
  const addresses = [...new Set(ofLogs.flatMap(({ addresses = [] }) => addresses))]
  return addresses.length > addressesMost ? { parts } : { parts, addresses }
}

function note(concerned: Concerned | null, listener: Listener | undefined): void {
  if (!concerned) return
  concerned.isConcerned = true
  if (listener) concerned.listeners.add(listener.key)
}

function idOf(trigger: Live, listener: Listener | undefined): string {
  return listener?.key ?? `stream ${trigger.id}`
}

/** The number stands first: an id ends as the author of a rule likes, and another rule's may look like a numbered one. */
function idAmong(id: string, at: number): string {
  return at === 0 ? id : `${at} ${id}`
}

const everything: Requirements = { requirements: [], requirementsSuffice: true }

class Entry implements IndexEntry {
  readonly id: string
  readonly keys: MatchKeys
  readonly trigger: Live
  readonly listener: Listener | undefined
  #early: ((item: unknown) => boolean) | undefined

  constructor(id: string, keys: MatchKeys, trigger: Live, listener: Listener | undefined) {
    this.id = id
    this.keys = keys
    this.trigger = trigger
    this.listener = listener
  }

  get decoder(): SpecItems | undefined {
    return this.trigger.feed.kind === 'source' ? this.trigger.feed.items : undefined
  }

  /** Only asked when it is put in and taken out: made anew, they cost less than kept for each of a hundred thousand. */
  get requirements(): Requirements['requirements'] {
    return requirementsFor(this.trigger, this.listener).requirements
  }

  get requirementsSuffice(): boolean {
    return requirementsFor(this.trigger, this.listener).requirementsSuffice
  }

  /** Made for the first item that is looked at: most entries are found by their requirements or not at all. */
  passes(item: SourceItem): boolean {
    this.#early ??= earlyFilterOf(this.trigger, this.listener)
    return this.#early(item)
  }
}

function requirementsFor(trigger: Live, listener: Listener | undefined): Requirements {
  if (!listener || takesAll(trigger, listener)) return everything
  const { filtersSchema = {} } = trigger.definition
  return readRequirements(listener.conditions, { filtersSchema, inputs: listener.inputs })
}

/** Whether the item may lead to something for the listener, as far as the item alone tells. */
export function earlyFilterOf(trigger: Live, listener: Listener | undefined): (item: unknown) => boolean {
  if (!listener || takesAll(trigger, listener)) return () => true
  const { filtersSchema = {} } = trigger.definition
  return compileEarlyFilter(listener.conditions, { filtersSchema, inputs: listener.inputs })
}

/** What remembers, and what waits for a state to end, is concerned by items that do not meet the conditions, too. */
function takesAll({ isOrdered }: Live, { policy }: Listener): boolean {
  return isOrdered || policy?.type === 'monitor'
}
