import type { SourceItem } from '../../engine/base/source-item.ts'
import type { Matches } from '../../engine/match/index.ts'
import type { HitCollector } from '../../engine/sources/match-items.ts'
import type { RawEntry } from '../../engine/sources/raw-items.ts'
import type { ListenerEntry } from './listener-entry.ts'
import type { RegisteredTrigger } from './live-trigger.ts'

/**
 * An item of a trigger, and the keys of the listeners that it may concern. `key` identifies the item within its block.
 * Several matches may share the list of one listener, so nobody changes it.
 */
export type ItemMatch = { key: string; item: SourceItem; listeners: string[] }
/** The matches of one trigger in one block, in the order of the chain. */
export type TriggerMatches = { trigger: RegisteredTrigger; matches: ItemMatch[] }

/**
 * Collects the matches of a block by trigger. A block may have thousands of matches of thousands of triggers, and their
 * cost is what they load from memory. So adding a match loads neither the trigger nor a hash table: each trigger has a
 * small number, and an array says where in the result the trigger with this number is.
 */
export class MatchCollector implements HitCollector<ListenerEntry> {
  #numbersUsed = 0
  readonly #freeNumbers: number[] = []
  /** By number: 0 if the trigger has no match in this block, else its index in `#triggers` plus 1. */
  #positions = new Int32Array(64)
  /** The triggers with matches in this block; `#numbers` has their numbers at the same index. */
  #triggers: TriggerMatches[] = []
  #numbers: number[] = []
  /** The trigger numbers of the entries in `#addAll`. */
  readonly #entryNumbers: number[] = []
  /** Matches that may name a listener several times. */
  readonly #repeating = new Set<ItemMatch>()

  /** A number for a trigger that is added to the index. It must not be called between `addHits` and `take`. */
  takeNumber(): number {
    const number = this.#freeNumbers.pop() ?? this.#numbersUsed++
    if (number >= this.#positions.length) this.#positions = new Int32Array(2 * this.#positions.length)
    return number
  }

  freeNumber(number: number): void {
    this.#freeNumbers.push(number)
  }

  /** Adds the entries whose conditions the item meets. */
  addHits({ proven, narrowed, candidates }: Matches<ListenerEntry>, { key }: RawEntry, item: SourceItem): void {
    this.#addAll(proven, key, item)
    for (const entry of narrowed) if (entry.passesRest(item)) this.#addOne(entry, key, item)
    for (const entry of candidates) if (entry.passes(item)) this.#addOne(entry, key, item)
  }

  /**
   * Adds entries that match the same item. The first loop only loads what a match needs of the entries, from the first such
   * field to the last. The entries are scattered in memory, and a processor loads several at once in a loop that is so short.
   */
  #addAll(entries: readonly ListenerEntry[], key: string, item: SourceItem): void {
    const numbers = this.#entryNumbers
    let lastKey = 0
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at]
      numbers[at] = entry?.triggerNumber ?? 0
      lastKey = Math.max(lastKey, entry?.keyNumber ?? 0)
    }
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at]
      if (entry !== undefined) this.#add(entry, numbers[at] ?? 0, key, item, lastKey > 0)
    }
  }

  #addOne(entry: ListenerEntry, key: string, item: SourceItem): void {
    this.#add(entry, entry.triggerNumber, key, item, true)
  }

  #add(entry: ListenerEntry, number: number, key: string, item: SourceItem, mayRepeat: boolean): void {
    const position = this.#positions[number] ?? 0
    const matches = position === 0 ? undefined : this.#triggers[position - 1]?.matches
    let match = matches?.[matches.length - 1]
    // The items of a trigger come one after the other, so another item means a new match.
    if (match === undefined || match.item !== item) {
      match = { key: entry.keyOf(key), item, listeners: entry.listeners }
      if (matches) matches.push(match)
      else this.#addTrigger(entry, number, match)
    } else if (entry.listenerKey !== undefined) addListener(match, entry.listenerKey)
    // An item can hit a listener twice only if the trigger has several keys.
    if (mayRepeat && entry.keyNumber > 0) this.#repeating.add(match)
  }

  #addTrigger({ trigger }: ListenerEntry, number: number, match: ItemMatch): void {
    this.#numbers.push(number)
    this.#positions[number] = this.#triggers.push(new MatchesOfTrigger(trigger, match))
  }

  /** Returns the matches since the last call and forgets them. */
  take(): TriggerMatches[] {
    for (const match of this.#repeating) match.listeners = [...new Set(match.listeners)]
    for (const number of this.#numbers) this.#positions[number] = 0
    const taken = this.#triggers
    this.#repeating.clear()
    this.#triggers = []
    this.#numbers = []
    return taken
  }
}

/**
 * The fields of a class are first undefined, so V8 expects values of any shape in them. In an object literal it would expect
 * the shape that all triggers so far had, and would load each trigger from memory to check that.
 */
class MatchesOfTrigger implements TriggerMatches {
  trigger: RegisteredTrigger
  matches: ItemMatch[]

  constructor(trigger: RegisteredTrigger, match: ItemMatch) {
    this.trigger = trigger
    this.matches = [match]
  }
}

/** A list of up to one listener belongs to an entry. */
function addListener(match: ItemMatch, listener: string): void {
  if (match.listeners.length < 2) match.listeners = [...match.listeners, listener]
  else match.listeners.push(listener)
}
