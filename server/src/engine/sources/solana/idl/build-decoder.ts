import type { EncodableNodes, getNodeCodec } from '@codama/dynamic-codecs'
import type { InstructionArgumentNode, ProgramNode, RootNode, StructFieldTypeNode } from '@codama/nodes'
import { base58 } from '@scure/base'
import type { BytesEncoding } from '@tocsin/contract'
import { startsWith, textOf } from '../bytes.ts'
import { Bounds, ListItems, UndecodableIdl } from './idl-bounds.ts'
import { findIdlPart } from './idl-part.ts'
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

/**
 * The library converts every name to camel case. Authors expect the names of their IDL, so this restores them. If two names
 * of an IDL differ only in their case, the library's name stays.
 */
function restoreNames(part: unknown, camelCase: (name: string) => string): (name: string) => string {
  const written = new Map<string, string>()
  for (const name of namesIn(part)) {
    const camel = camelCase(name)
    const other = written.get(camel)
    written.set(camel, other === undefined || other === name ? name : camel)
  }
  return (name) => written.get(name) ?? name
}

const lists = new Set(['fields', 'args', 'accounts'])

/** The names of fields, arguments and accounts of instructions. Names with leading underscores are skipped, because decoders use them. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value).flatMap(([key, list]) => (lists.has(key) && Array.isArray(list) ? list : []))
  const names = members.flatMap((member) => (hasName(member) && !member.name.startsWith('__') ? [member.name] : []))
  return [...names, ...Object.values(value).flatMap(namesIn)]
}

function hasName(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

type NameOf = (name: string) => string
type CodecOf = (node: EncodableNodes) => Codec

/**
 * Codecs that decode to plain JSON: big integers as decimal strings, bytes as text, options as the value or null, plain
 * enums as the names of their variants, fields with the names of the IDL (`nameOf`).
 */
async function makeCodecs(root: RootNode, nameOf: NameOf, encoding: BytesEncoding): Promise<CodecOf> {
  const { getNodeCodecVisitor } = await import('@codama/dynamic-codecs')
  const core = await import('@codama/visitors-core')
  const { bytesTypeNode, fixedSizeTypeNode, isScalarEnum, pascalCase } = await import('@codama/nodes')
  const linkables = new core.LinkableDictionary()
  core.visit(root, core.getRecordLinkablesVisitor(linkables))
  const items = new ListItems(root.program.definedTypes ?? [])
  const bounds = new Bounds<Codec>()
  const stack = new core.NodeStack([root, root.program])
  const visitor = core.extendVisitor(getNodeCodecVisitor(linkables, { stack, bytesEncoding: 'base64' }), {
    visitDefinedTypeLink: (node, { next }) => bounds.once(node.name, () => next(node)),
    visitStructType(node, { next }) {
      bounds.spend(1 + (node.fields ?? []).length)
      return mapRead(next(node), (value) => renameFields(value, nameOf))
    },
    visitTupleType(node, { next }) {
      bounds.spend(1 + (node.items ?? []).length)
      return next(node)
    },
    visitEnumType(node, { next }) {
      bounds.spend(1 + (node.variants ?? []).length)
      if (!isScalarEnum(node)) return next(node)
      return mapRead(next(node), (index) => pascalCase(node.variants?.[Number(index)]?.name ?? ''))
    },
    visitArrayType(node, { next, self }) {
      const { item, count } = node
      items.requireBytes(item, count.kind)
      if (count.kind !== 'fixedCountNode') return requireCount(next(node))
      if (item.kind !== 'numberTypeNode' || item.format !== 'u8') return next(node)
      return core.visit(fixedSizeTypeNode(bytesTypeNode(), count.value), self)
    },
    visitSetType(node, { next }) {
      items.requireBytes(node.item, node.count.kind)
      return node.count.kind === 'fixedCountNode' ? next(node) : requireCount(next(node))
    },
    visitMapType(node, { next }) {
      items.requireBytes(node.key, node.count.kind)
      return node.count.kind === 'fixedCountNode' ? next(node) : requireCount(next(node))
    },
    visitOptionType: (node, { next }) => mapRead(next(node), optionValue),
    visitBytesType: (node, { next }) => mapRead(next(node), (value) => bytesText(value, encoding)),
    visitNumberType: (node, { next }) => mapRead(next(node), plainNumber),
    visitPublicKeyType: (node, { next }) => withRead(next(node), readPublicKey),
  })
  return (node) => core.visit(node, visitor)
}

type Codec = ReturnType<typeof getNodeCodec>
type Read = Codec['read']

/** The same codec, with `toPlain` applied to the values that it reads. Writing, which constants need, is unchanged. */
function mapRead(codec: Codec, toPlain: (value: unknown) => unknown): Codec {
  return withRead(codec, (bytes, offset) => {
    const [value, next] = codec.read(bytes, offset)
    return [toPlain(value), next]
  })
}

function withRead(codec: Codec, read: Read): Codec {
  return { ...codec, read, decode: (bytes, offset = 0) => read(bytes, offset)[0] }
}

/** The library treats a list that is missing at the end of the data as empty. A real list starts with its count. */
function requireCount(codec: Codec): Codec {
  return withRead(codec, (bytes, offset) => {
    if (offset >= bytes.length) throw new RangeError('a list is cut off')
    return codec.read(bytes, offset)
  })
}

/** Integers of 64 bits and more are always decimal strings, so that a field keeps one type. */
function plainNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return Number.isFinite(value) ? value : null
}

/** `{__option: 'Some', value}` or `{__option: 'None'}`. */
function optionValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : null
}

/** `['base64', text]`. */
function bytesText(value: unknown, encoding: BytesEncoding): unknown {
  const text = Array.isArray(value) ? value[1] : value
  return encoding === 'hex' && typeof text === 'string' ? textOf(Buffer.from(text, 'base64'), encoding) : text
}

function renameFields(value: unknown, nameOf: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [nameOf(name), field]))
}

const keyBytes = 32

/** The library's own function takes four times as long, and public keys are most of the data of events. */
const readPublicKey: Read = (bytes, offset) => {
  const end = offset + keyBytes
  if (bytes.length < end) throw new RangeError('a public key is cut short')
  return [base58.encode(Uint8Array.from(bytes.subarray(offset, end))), end]
}
