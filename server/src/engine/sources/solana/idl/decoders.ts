import { createHash } from 'node:crypto'
import type { BytesEncoding } from '@tocsin/contract'
import { makeLruCache } from '../../../base/lru-cache.ts'
import { buildDecoder, type Decoder, type Section } from './build-decoder.ts'
import { whyNotDecodable } from './decodable-idl.ts'
import { UndecodableIdl } from './idl-bounds.ts'
import { type Wanted, wantedAccounts, wantedEvents, wantedInstructions } from './idl-part.ts'
import { type Idl, readIdl } from './read-idl.ts'

export type Decoders = Record<Section, Decoder[]>

const sections: readonly Section[] = ['events', 'instructions', 'accounts']
const remembered = makeLruCache<Promise<Decoders>>(200)

/** Decoders for the events with this name, or for all events without a name. If the IDL has none, its instructions are used. */
export function eventDecoders(
  sent: unknown,
  event: string | undefined,
  encoding: BytesEncoding = 'hex',
): Promise<Decoders> {
  return remember(`event ${event ?? ''}`, { sent, encoding }, (idl) => wantedEvents(idl, event))
}

/** Decoders for the instructions with this name, or for all instructions without a name. */
export async function instructionDecoders(sent: unknown, instruction: string | undefined): Promise<Decoder[]> {
  const pick = (idl: Idl) => wantedInstructions(idl, instruction)
  return (await remember(`instruction ${instruction ?? ''}`, { sent, encoding: 'hex' }, pick)).instructions
}

export async function accountDecoders(
  sent: unknown,
  accountName: string | undefined,
  encoding: BytesEncoding = 'hex',
): Promise<Decoder[]> {
  const pick = (idl: Idl) => wantedAccounts(idl, accountName)
  return (await remember(`account ${accountName ?? ''}`, { sent, encoding }, pick)).accounts
}

type Asked = { sent: unknown; encoding: BytesEncoding }

/** Building takes milliseconds, and many triggers and every read of an account use the same IDL. */
function remember(purpose: string, asked: Asked, pick: (idl: Idl) => Wanted): Promise<Decoders> {
  const key = createHash('sha256')
    .update(JSON.stringify([purpose, asked]))
    .digest('base64')
  return remembered.get(key, () => build(asked, pick))
}

async function build({ sent, encoding }: Asked, pick: (idl: Idl) => Wanted): Promise<Decoders> {
  const read = readIdl(sent)
  if (!read.ok) throw new UndecodableIdl(`The IDL ${read.message}.`)
  const wanted = pick(read.idl)
  const problem = await whyNotDecodable(read.idl, wanted)
  if (problem) throw new UndecodableIdl(`The IDL ${problem}.`)
  const decoders: Decoders = { events: [], instructions: [], accounts: [] }
  for (const section of sections)
    for (const item of wanted[section]) decoders[section].push(await buildDecoder(read.idl, section, item, encoding))
  return decoders
}
