import { metadata as codec } from '@polkadot-api/substrate-bindings'

/** A runtime of two pallets, small enough to write its bytes by hand, in each version of metadata that can be read. */
export type MetadataVersion = 14 | 15 | 16

type Def = { tag: string; value: unknown }
const field = (type: number, name?: string) => ({ name, type, typeName: undefined, docs: [] })
const variant = (name: string, index: number, fields: ReturnType<typeof field>[]) => ({ name, index, fields, docs: [] })
const primitive = (tag: string): Def => ({ tag: 'primitive', value: { tag, value: undefined } })

const u8 = 0
const u16 = 1
const u32 = 2
const u128 = 3
const bytes = 4
const phase = 5
const sampleEvent = 6
const event = 7
const record = 8
const records = 9
const nothing = 10
const pair = 11
const topics = 12
export const defs: Def[] = [
  primitive('u8'),
  primitive('u16'),
  primitive('u32'),
  primitive('u128'),
  { tag: 'sequence', value: u8 },
  {
    tag: 'variant',
    value: [
      variant('ApplyExtrinsic', 0, [field(u32)]),
      variant('Finalization', 1, []),
      variant('Initialization', 2, []),
    ],
  },
  {
    tag: 'variant',
    value: [
      variant('Moved', 0, [field(u128, 'amount'), field(bytes, 'memo'), field(nothing, 'nothing')]),
      variant('Old', 4, [field(u32), field(nothing), field(u128)]),
      variant('Single', 5, [field(u32)]),
      variant('Empty', 6, []),
    ],
  },
  { tag: 'variant', value: [variant('Sample', 7, [field(sampleEvent)])] },
  { tag: 'composite', value: [field(phase, 'phase'), field(event, 'event'), field(topics, 'topics')] },
  { tag: 'sequence', value: record },
  { tag: 'composite', value: [] },
  { tag: 'tuple', value: [u32, u128] },
  { tag: 'sequence', value: bytes },
]

const notDeprecated = { tag: 'NotDeprecated', value: undefined }
const item = (name: string, modifier: 0 | 1, type: Def, fallback = '0x00') => ({
  name,
  modifier,
  type,
  fallback,
  docs: [],
  deprecationInfo: notDeprecated,
})
const map = (hashers: string[], key: number, value: number): Def => ({
  tag: 'map',
  value: { hashers: hashers.map((tag) => ({ tag, value: undefined })), key, value },
})

const systemItems = [item('Events', 1, { tag: 'plain', value: records })]
const sampleItems = [
  item('Total', 1, { tag: 'plain', value: u32 }, '0x2a000000'),
  item('Both', 0, map(['Identity', 'Identity'], pair, u128)),
  item('Members', 0, map(['Identity'], u32, nothing)),
]

function pallet(
  name: string,
  index: number,
  prefix: string,
  items: unknown[],
  events: number | undefined,
  version: number,
) {
  const ref = (type: number | undefined) => (version < 16 || type === undefined ? type : { type, deprecationInfo: [] })
  const prefixConstant = { name: 'SS58Prefix', type: u16, value: '0x0500', docs: [], deprecationInfo: notDeprecated }
  return {
    name,
    index,
    storage: { prefix, items },
    calls: undefined,
    events: ref(events),
    errors: undefined,
    constants: name === 'System' ? [prefixConstant] : [],
    associatedTypes: [],
    viewFns: [],
    docs: [],
    deprecationInfo: notDeprecated,
  }
}

/** The metadata in hex, as `state_getMetadata` returns it. */
export function sampleMetadata(version: MetadataVersion, types: Def[] = defs): string {
  const value = {
    lookup: types.map((def, id) => ({ id, path: [], params: [], def, docs: [] })),
    pallets: [
      pallet('System', 0, 'System', systemItems, undefined, version),
      pallet('Sample', 7, 'Instance1Sample', sampleItems, sampleEvent, version),
    ],
    extrinsic: {
      version: version < 16 ? 4 : [4],
      type: u8,
      address: u8,
      call: u8,
      signature: u8,
      extra: u8,
      signedExtensions: [],
      signedExtensionsByVersion: [[0, []]],
    },
    type: u8,
    apis: [],
    outerEnums: { call: u8, event, error: u8 },
    custom: [],
  }
  const encode: (metadata: unknown) => Uint8Array = codec.enc as never
  return `0x${Buffer.from(encode({ magicNumber: 0x6174656d, metadata: { tag: `v${version}`, value } })).toString('hex')}`
}
