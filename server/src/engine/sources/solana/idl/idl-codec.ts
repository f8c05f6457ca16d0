import type { EncodableNodes } from '@codama/dynamic-codecs'
import type { RootNode } from '@codama/nodes'
import type { BytesEncoding } from '@tocsin/contract'
import { Bounds, ListItems } from './idl-bounds.ts'
import {
  bytesText,
  type Codec,
  mapRead,
  optionValue,
  plainNumber,
  readPublicKey,
  renameFields,
  requireCount,
  withRead,
} from './plain-values.ts'

type NameOf = (name: string) => string
export type CodecOf = (node: EncodableNodes) => Codec

/**
 * Codecs that decode to plain JSON: big integers as decimal strings, bytes as text, options as the value or null, plain
 * enums as the names of their variants, fields with the names of the IDL (`nameOf`).
 */
export async function makeCodecs(root: RootNode, nameOf: NameOf, encoding: BytesEncoding): Promise<CodecOf> {
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
