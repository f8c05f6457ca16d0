import type { SourceItem } from '../../base/source-item.ts'
import { type ChainIndexing, type Indexing, itemIndex, makeItemKey, shapeless } from '../../match/index.ts'

/** `discriminator` is hexadecimal; `decoder` names the IDL, and with it what `params` holds. */
export type SolanaEventKeys = { type: 'solana_event'; programId?: string; discriminator?: string; decoder?: string }
/** An event is decoded by an IDL only when some entry asks for a value in it. */
export type RawSolanaEvent = {
  type: 'solana_event'
  programId: string
  /** Discriminators differ in length: a list holds every beginning of the data that may be one. */
  discriminator: string | readonly string[]
  /** Undefined when this IDL does not know the event. */
  item(decoder: string): SourceItem | undefined
}

const events: Indexing<SolanaEventKeys, RawSolanaEvent> = {
  ...shapeless,
  keyPartsOf: ({ programId, discriminator }) => ({ first: eventName(discriminator, programId), shape: 0 }),
  firstOf({ programId, discriminator }) {
    const all = typeof discriminator === 'string' ? [discriminator] : discriminator
    const named = all.flatMap((one) => [eventName(one, programId), eventName(one)])
    return [...named, eventName(undefined, programId)].filter((name) => name !== undefined)
  },
  secondOf: () => undefined,
  toFieldKey: (requirement, { decoder }, fields) =>
    decoder === undefined ? undefined : makeItemKey(fields, requirement, decoder, (raw) => raw.item(decoder)),
}

/** Program and discriminator are one key, so that the event of another program is not decoded to find out. */
function eventName(discriminator?: string, programId?: string): string | undefined {
  if (discriminator === undefined && programId === undefined) return undefined
  return `${discriminator?.toLowerCase() ?? ''} ${programId ?? ''}`
}

export const solanaIndexing: ChainIndexing = { solana_event: itemIndex(events) }
