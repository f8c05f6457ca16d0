import { createHash } from 'node:crypto'
import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock } from '../block.ts'
import { startsWith, textOf } from './bytes.ts'
import { type Executed, requireContents } from './contents.ts'
import { decodeExecuted, longestFirst } from './decode-executed.ts'
import type { Emission } from './emissions.ts'
import type { Decoder } from './idl/build-decoder.ts'
import { eventDecoders } from './idl/decoders.ts'
import type { Transaction } from './transaction.ts'

export type SolanaEventSpec = Extract<TriggerSpec, { type: 'solana_event' }>

/** What the index needs to look events up, and the decoder of those that it finds. */
export type EventMatcher = {
  /** Absent means every program. */
  programId?: string
  /** Absent means every event. */
  discriminators?: readonly Uint8Array[]
  /** True if its items are instructions, because the IDL has no such event. */
  isOfInstructions: boolean
  /** Decodes a raw item of the kind that `isOfInstructions` selects; undefined when it does not match. */
  itemOf(block: ChainBlock, raw: Emission | Executed): SourceItem | undefined
}

type Decoded = { event: string | null; params: Record<string, unknown> }

export async function eventMatcher(spec: SolanaEventSpec): Promise<EventMatcher> {
  const { programId, event, idl, bytesEncoding } = spec
  if (idl === undefined) return rawMatcher(spec)
  const { events, instructions } = await eventDecoders(idl, event, bytesEncoding)
  const ordered = [...events, ...instructions].sort(longestFirst)
  const discriminators = ordered.map(({ discriminator }) => discriminator)
  const matching =
    instructions.length > 0
      ? ofInstructions((executed) => eventOf(ordered, executed))
      : ofEvents(({ data }) => decodeEmission(ordered, data))
  return { programId, discriminators, ...matching }
}

/** Without an IDL an event is only bytes. Anchor derives the first eight from the event's name. */
function rawMatcher({ programId, event, bytesEncoding = 'hex' }: SolanaEventSpec): EventMatcher {
  const discriminator = event === undefined ? undefined : eventDiscriminator(event)
  const decode = ({ data }: Emission): Decoded | undefined => {
    if (discriminator && !startsWith(data, discriminator)) return undefined
    return { event: event ?? null, params: { data: textOf(data, bytesEncoding) } }
  }
  const discriminators = discriminator && [discriminator]
  return { programId, discriminators, ...ofEvents(decode) }
}

function eventDiscriminator(event: string): Uint8Array {
  const pascal = event.replaceAll(/(?:^|(?<!_)_+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return createHash('sha256').update(`event:${pascal}`).digest().subarray(0, 8)
}

function decodeEmission(decoders: readonly Decoder[], data: Uint8Array): Decoded | undefined {
  for (const { name, decode } of decoders) {
    const params = decode(data)
    if (params) return { event: name, params }
  }
  return undefined
}

function eventOf(decoders: readonly Decoder[], executed: Executed): Decoded | undefined {
  const decoded = decodeExecuted(decoders, executed)
  return decoded && { event: decoded.name, params: { ...decoded.accounts, ...decoded.args } }
}

type Matching = Pick<EventMatcher, 'itemOf' | 'isOfInstructions'>

function ofEvents(decode: (emission: Emission) => Decoded | undefined): Matching {
  return {
    isOfInstructions: false,
    itemOf(block, raw) {
      if ('instruction' in raw) return undefined
      const decoded = decode(raw)
      return decoded && makeItem(block, raw.transaction, raw, decoded)
    },
  }
}

function ofInstructions(decode: (executed: Executed) => Decoded | undefined): Matching {
  return {
    isOfInstructions: true,
    itemOf(block, raw) {
      if (!('instruction' in raw)) return undefined
      const { transaction, instruction } = raw
      const decoded = decode(raw)
      const at = { index: instruction.position, programId: instruction.programId }
      return decoded && makeItem(block, transaction, at, decoded)
    },
  }
}

/** `index` counts the events of the transaction, or its instructions. */
function makeItem(
  block: ChainBlock,
  transaction: Transaction,
  at: { index: number; programId: string },
  { event, params }: Decoded,
): SourceItem {
  return {
    ...placeOf(block, transaction),
    index: at.index,
    programId: at.programId,
    event,
    params,
  }
}

/** The block and the transaction of an item. */
export function placeOf(block: ChainBlock, { index, signature, error }: Transaction) {
  return {
    block: { slot: block.number, hash: block.hash, timestamp: requireContents(block).timestamp },
    transaction: { index, signature, success: error === null, error },
  }
}
