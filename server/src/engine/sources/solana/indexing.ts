import type { SourceItem } from '../../base/source-item.ts'
import type { Requirement } from '../../conditions/requirements.ts'
import { type ChainIndexing, type Fields, type Indexing, itemIndex, makeItemKey, shapeless } from '../../match/index.ts'

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

/** `inner` is false for the instructions of messages alone. */
export type SolanaInstructionKeys = {
  type: 'solana_instruction'
  programId?: string
  discriminator?: string
  decoder?: string
  inner: boolean
}
export type RawSolanaInstruction = Omit<RawSolanaEvent, 'type'> & { type: 'solana_instruction'; isInner: boolean }

/** Events and instructions are looked up in the same way: by program and first bytes. */
type ByProgram = {
  keys: Pick<SolanaEventKeys, 'programId' | 'discriminator' | 'decoder'>
  raw: Omit<RawSolanaEvent, 'type'>
}

const byProgram = {
  first: ({ programId, discriminator }: ByProgram['keys']) => itemName(discriminator, programId),
  firstOf({ programId, discriminator }: ByProgram['raw']): string[] {
    const all = typeof discriminator === 'string' ? [discriminator] : discriminator
    const named = all.flatMap((one) => [itemName(one, programId), itemName(one)])
    return [...named, itemName(undefined, programId)].filter((name) => name !== undefined)
  },
  secondOf: () => undefined,
  toFieldKey: <Raw extends ByProgram['raw']>(
    requirement: Requirement,
    { decoder }: ByProgram['keys'],
    fields: Fields<Raw>,
  ) => (decoder === undefined ? undefined : makeItemKey(fields, requirement, decoder, (raw) => raw.item(decoder))),
}

const events: Indexing<SolanaEventKeys, RawSolanaEvent> = {
  ...shapeless,
  ...byProgram,
  keyPartsOf: (keys) => ({ first: byProgram.first(keys), shape: 0 }),
}

const [everywhere, ofMessage] = [0, 1]

const instructions: Indexing<SolanaInstructionKeys, RawSolanaInstruction> = {
  ...byProgram,
  keyPartsOf: (keys) => ({ first: byProgram.first(keys), shape: keys.inner ? everywhere : ofMessage }),
  hasShape: ({ isInner }, shape) => shape === everywhere || !isInner,
  shapesOf: ({ isInner }) => (isInner ? [everywhere] : [everywhere, ofMessage]),
}

/** Program and discriminator are one key, so that the item of another program is not decoded to find out. */
function itemName(discriminator?: string, programId?: string): string | undefined {
  if (discriminator === undefined && programId === undefined) return undefined
  return `${discriminator?.toLowerCase() ?? ''} ${programId ?? ''}`
}

export const solanaIndexing: ChainIndexing = {
  solana_event: itemIndex(events),
  solana_instruction: itemIndex(instructions),
}
