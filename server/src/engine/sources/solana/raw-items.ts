import { createHash } from 'node:crypto'
import type { SourceItem } from '../../base/source-item.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ChainBlock } from '../block.ts'
import type { ChainItems, SpecItems } from '../raw-items.ts'
import { type Executed, requireContents } from './contents.ts'
import type { Emission } from './emissions.ts'
import { type EventMatcher, eventMatcher, type SolanaEventSpec } from './event-matcher.ts'
import { type RawSolanaEvent, type RawSolanaInstruction, solanaIndexing } from './indexing.ts'
import {
  type InstructionMatcher,
  instructionMatcher,
  isInner,
  type SolanaInstructionSpec,
} from './instruction-matcher.ts'
import { listLostEvents } from './lost-events.ts'

/** The events and instructions of Solana blocks, by program and by the first bytes of their data. */
export const solanaItems: ChainItems = {
  async prepare(spec) {
    if (spec.type === 'solana_event') {
      const matcher = await eventMatcher(spec)
      return shareSpec(nameOf(spec), (name) => new EventSpec(matcher, name))
    }
    if (spec.type === 'solana_instruction') {
      const matcher = await instructionMatcher(spec)
      return shareSpec(nameOf(spec), (name) => new InstructionSpec(matcher, name))
    }
    throw new UpstreamError('refused', `A Solana source has no items of ${spec.type}.`)
  },
  *list(block, specs) {
    const contents = requireContents(block)
    const all = [...specs]
    const ofEvents = all.filter((spec) => spec instanceof EventSpec)
    for (const program of programsOf(ofEvents.filter(({ matcher }) => !matcher.isOfInstructions)))
      for (const emission of contents.emissions(program)) yield new EventEntry(block, emission)
    for (const program of programsOf(ofEvents.filter(({ matcher }) => matcher.isOfInstructions)))
      for (const executed of contents.executed(program)) yield new InstructionEventEntry(block, executed)
    for (const program of programsOf(all.filter((spec) => spec instanceof InstructionSpec)))
      for (const executed of contents.executed(program)) yield new InstructionEntry(block, executed)
  },
  listLost(block, specs) {
    const { transactions } = requireContents(block)
    // Nearly every block has none, and then the specs are not looked at.
    if (!transactions.some(({ lostLogs }) => lostLogs !== undefined)) return []
    const ofEvents = [...specs]
      .filter((spec) => spec instanceof EventSpec)
      .filter(({ matcher }) => !matcher.isOfInstructions)
    return listLostEvents(transactions, programsOf(ofEvents))
  },
}

/**
 * The index reads a value of an item through a decoder's name. Equal specs share one object while a trigger uses it.
 * Otherwise the name could lead to an object that was collected while its equal is still in use.
 */
const specs = new Map<string, WeakRef<SharedSpec>>()
const collected = new FinalizationRegistry<string>((name) => {
  if (!specs.get(name)?.deref()) specs.delete(name)
})

function shareSpec<Spec extends SharedSpec>(name: string, make: (name: string) => Spec): SharedSpec {
  const known = specs.get(name)?.deref()
  if (known) return known
  const made = make(name)
  specs.set(name, new WeakRef(made))
  collected.register(made, name)
  return made
}

type SharedSpec = EventSpec | InstructionSpec

class EventSpec implements SpecItems {
  readonly neededParts = []
  readonly indexing = solanaIndexing
  readonly keys: SpecItems['keys']
  readonly matcher: EventMatcher

  constructor(matcher: EventMatcher, decoder: string) {
    this.matcher = matcher
    const common = { type: 'solana_event' as const, programId: matcher.programId, decoder }
    this.keys = keyedBy(matcher.discriminators).map((discriminator) => ({ ...common, discriminator }))
  }

  itemOf(block: ChainBlock, raw: unknown): SourceItem | undefined {
    return raw instanceof EventEntry || raw instanceof InstructionEventEntry
      ? this.matcher.itemOf(block, raw.found)
      : undefined
  }
}

class InstructionSpec implements SpecItems {
  readonly neededParts = []
  readonly indexing = solanaIndexing
  readonly keys: SpecItems['keys']
  readonly matcher: InstructionMatcher

  constructor(matcher: InstructionMatcher, decoder: string) {
    this.matcher = matcher
    const { programId, inner } = matcher
    const common = { type: 'solana_instruction' as const, programId, inner, decoder }
    this.keys = keyedBy(matcher.discriminators).map((discriminator) => ({ ...common, discriminator }))
  }

  itemOf(block: ChainBlock, raw: unknown): SourceItem | undefined {
    return raw instanceof InstructionEntry ? this.matcher.itemOf(block, raw.found) : undefined
  }
}

/** Undefined means every program, which makes other program ids unnecessary. */
function programsOf(wanted: readonly SharedSpec[]): (string | undefined)[] {
  const programs = new Set(wanted.map(({ matcher }) => matcher.programId))
  return programs.has(undefined) ? [undefined] : [...programs]
}

/** Equal specs have the same name, whatever their source and sample are. */
function nameOf({ dataSource: _, testInput: __, ...spec }: SolanaEventSpec | SolanaInstructionSpec): string {
  const fields = Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64')
}

/** Discriminators may have any length; most have eight bytes. The index uses this many bytes, and decoding checks the rest. */
const discriminatorBytesMax = 16

/** One key for each discriminator. Instructions may have none; then only decoding can distinguish them. */
function keyedBy(discriminators: readonly Uint8Array[] | undefined): (string | undefined)[] {
  if (!discriminators || discriminators.some(({ length }) => length === 0)) return [undefined]
  const looked = discriminators.map((bytes) => Buffer.from(bytes.subarray(0, discriminatorBytesMax)).toString('hex'))
  return [...new Set(looked)]
}

function beginningsOf(data: Uint8Array): string[] {
  const hex = Buffer.from(data.subarray(0, discriminatorBytesMax)).toString('hex')
  return Array.from({ length: hex.length / 2 }, (_, at) => hex.slice(0, 2 * (at + 1)))
}

abstract class Entry<Found extends Emission | Executed> {
  readonly found: Found
  readonly block: ChainBlock
  readonly #items = new Map<string, SourceItem | undefined>()
  #discriminator: readonly string[] | undefined

  constructor(block: ChainBlock, found: Found) {
    this.block = block
    this.found = found
  }

  abstract readonly programId: string
  abstract readonly key: string
  abstract bytes(): Uint8Array

  get discriminator(): readonly string[] {
    this.#discriminator ??= beginningsOf(this.bytes())
    return this.#discriminator
  }

  item(decoder: string): SourceItem | undefined {
    if (!this.#items.has(decoder)) this.#items.set(decoder, specs.get(decoder)?.deref()?.itemOf(this.block, this))
    return this.#items.get(decoder)
  }
}

class EventEntry extends Entry<Emission> implements RawSolanaEvent {
  readonly type = 'solana_event'

  get programId(): string {
    return this.found.programId
  }
  get key(): string {
    return `${this.block.hash}:${this.found.transaction.signature}:${this.found.index}`
  }
  bytes(): Uint8Array {
    return this.found.data
  }
}

abstract class ExecutedEntry extends Entry<Executed> {
  get programId(): string {
    return this.found.instruction.programId
  }
  get key(): string {
    return `${this.block.hash}:${this.found.transaction.signature}:i${this.found.instruction.position}`
  }
  bytes(): Uint8Array {
    return this.found.data() ?? new Uint8Array()
  }
}

/** An instruction that a trigger on events matches, because its IDL has no such event. */
class InstructionEventEntry extends ExecutedEntry implements RawSolanaEvent {
  readonly type = 'solana_event'
}

class InstructionEntry extends ExecutedEntry implements RawSolanaInstruction {
  readonly type = 'solana_instruction'

  get isInner(): boolean {
    return isInner(this.found.instruction)
  }
}
