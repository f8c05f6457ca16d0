import type { InstructionArgumentNode, ProgramNode, StructFieldTypeNode } from '@codama/nodes'
import type { BytesEncoding } from '@tocsin/contract'
import { startsWith } from '../bytes.ts'
import { UndecodableIdl } from './idl-bounds.ts'
import { type CodecOf, makeCodecs } from './idl-codec.ts'
import { restoreNames } from './idl-names.ts'
import { findIdlPart } from './idl-part.ts'
import type { Codec } from './plain-values.ts'
import type { Idl, Item } from './read-idl.ts'

export type Section = 'events' | 'instructions' | 'accounts'

/** Decodes one event, instruction or account of an IDL. Bytes that do not match decode to undefined; nothing throws. */
export type Decoder = {
  /** As the IDL spells it. */
  name: string
  discriminator: Uint8Array
  /** The names of an instruction's accounts, in order. */
  accounts: readonly { name: string; isOptional: boolean }[]
  decode(data: Uint8Array): Record<string, unknown> | undefined
}
type Built = Pick<Decoder, 'discriminator' | 'accounts'> & { codec: Codec }

/** Builds one item at a time, because the library does not allow an event to be part of another. */
export async function buildDecoder(idl: Idl, section: Section, item: Item, encoding: BytesEncoding): Promise<Decoder> {
  const { rootNodeFromAnchorWithoutDefaultVisitor } = await import('@codama/nodes-from-anchor')
  const { camelCase } = await import('@codama/nodes')
  const wanted = { events: [], instructions: [], accounts: [], [section]: [numbered(idl, section, item)] }
  const part = findIdlPart(idl, wanted)
  const nameOf = restoreNames(part, camelCase)
  try {
    type Anchor = Parameters<typeof rootNodeFromAnchorWithoutDefaultVisitor>[0]
    const root = rootNodeFromAnchorWithoutDefaultVisitor(part as Anchor)
    const codecOf = await makeCodecs(root, nameOf, encoding)
    const { discriminator, accounts, codec } = buildPart(root.program, section, codecOf)
    const named = accounts.map(({ name, isOptional }) => ({ name: nameOf(name), isOptional }))
    return { name: item.name, discriminator, accounts: named, decode: (data) => decode(codec, discriminator, data) }
  } catch (error) {
    const why = error instanceof UndecodableIdl ? error.message : 'has a part that cannot be decoded'
    throw new UndecodableIdl(`The IDL ${why}, in ${item.name.slice(0, 80)}.`)
  }
}

/** Shank numbers instructions by their index in the whole IDL, which a part of the IDL does not show. */
function numbered(idl: Idl, section: Section, item: Item): Item {
  const { metadata } = idl.whole
  const isShank =
    typeof metadata === 'object' && metadata !== null && 'origin' in metadata && metadata.origin === 'shank'
  if (section !== 'instructions' || !isShank || item.discriminant !== undefined) return item
  return { ...item, discriminant: { type: 'u8', value: idl.instructions.indexOf(item) } }
}

function buildPart(program: ProgramNode, section: Section, codecOf: CodecOf): Built {
  const [event] = program.events ?? []
  const [account] = program.accounts ?? []
  const [instruction] = program.instructions ?? []
  if (section === 'events' && event) {
    const [by] = event.discriminators ?? []
    if (by?.kind !== 'constantDiscriminatorNode') throw new UndecodableIdl('has an event without a discriminator')
    const discriminator = codecOf(by.constant.type).encode(bytesOf(by.constant.value))
    return { codec: codecOf(event), accounts: [], discriminator: Uint8Array.from(discriminator) }
  }
  if (section === 'accounts' && account) {
    const fields = account.data.kind === 'structTypeNode' ? account.data.fields : []
    return { codec: codecOf(account), accounts: [], discriminator: discriminatorIn(fields ?? [], codecOf) }
  }
  if (!instruction) throw new UndecodableIdl('lost a part on the way')
  const accounts = (instruction.accounts ?? []).map(({ name, isOptional }) => ({
    name,
    isOptional: isOptional === true,
  }))
  return { codec: codecOf(instruction), accounts, discriminator: discriminatorIn(instruction.arguments ?? [], codecOf) }
}

/** The first field of an account or of an instruction's data. Programs without Anchor may have none. */
function discriminatorIn(fields: readonly (StructFieldTypeNode | InstructionArgumentNode)[], codecOf: CodecOf) {
  const [first] = fields
  if (first?.name !== 'discriminator' || !first.defaultValue) return new Uint8Array()
  return Uint8Array.from(codecOf(first.type).encode(bytesOf(first.defaultValue)))
}

function bytesOf(value: { kind: string }): unknown {
  if ('number' in value) return value.number
  return 'encoding' in value && 'data' in value ? [value.encoding, value.data] : undefined
}

function decode(codec: Codec, discriminator: Uint8Array, data: Uint8Array): Record<string, unknown> | undefined {
  if (!startsWith(data, discriminator)) return undefined
  try {
    const value = codec.decode(data)
    if (typeof value !== 'object' || value === null) return undefined
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'discriminator'))
  } catch {
    // The data is too short, or has an unknown variant or an invalid text: it belongs to something else.
    return undefined
  }
}
