import type { LookupEntry } from '@polkadot-api/metadata-builders'
import type { Codec, UnifiedMetadata } from '@polkadot-api/substrate-bindings'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { Cursor } from './cursor.ts'
import { type Decode, decoders, type ModuleError, type NamedError } from './decode.ts'
import { type Library, loadLibrary } from './library.ts'
import { keepNamedFields } from './named-fields.ts'

export type Pallet = UnifiedMetadata['pallets'][number]

/** The types of one version of a chain's runtime. */
export type Runtime = {
  library: Library
  metadataVersion: number
  ss58Prefix: number
  pallets: readonly Pallet[]
  types: UnifiedMetadata['lookup']
  extrinsic: UnifiedMetadata['extrinsic']
  type(id: number): LookupEntry
  /** The type whose form the decoded value has; see named-fields.ts. */
  decodedType(id: number): LookupEntry
  decoder(id: number): Decode
  /** Only for encoding; see decode.ts. */
  encoder(id: number): Codec<unknown>['enc']
}

/** Priority: `chosen`, then the runtime's own value, then `reported`, the value that the node reports. */
export type Ss58Prefix = { chosen?: number; reported?: number }

/** The prefix of chains without their own. */
const genericSs58Prefix = 42

/** Throws an UpstreamError for anything but metadata of version 14 or later. */
export async function readRuntime(metadataHex: string, ss58: Ss58Prefix): Promise<Runtime> {
  const library = await loadLibrary()
  const metadata = readMetadata(metadataHex, library)
  const type = library.getLookupFn(metadata)
  const decoded = library.getLookupFn({ ...metadata, lookup: keepNamedFields(metadata.lookup) })
  const ss58Prefix = ss58.chosen ?? guard(() => ss58PrefixOf(metadata, type)) ?? ss58.reported ?? genericSs58Prefix
  const codec = library.getLookupCodecBuilder(type, library.AccountId(ss58Prefix))
  const decoderOf = decoders(library.fromBufferToBase58(ss58Prefix), (error) => nameError(metadata, error))
  return {
    library,
    metadataVersion: metadata.version,
    ss58Prefix,
    pallets: metadata.pallets,
    types: metadata.lookup,
    extrinsic: metadata.extrinsic,
    type: (id) => guard(() => type(id)),
    decodedType: (id) => guard(() => decoded(id)),
    decoder: (id) => guard(() => decoderOf(decoded(id))),
    encoder: (id) => guard(() => codec(id).enc),
  }
}

/** Well-formed metadata can still refer to missing types or nest types without end. */
function guard<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw new UpstreamError('bad_answer', 'The metadata describes a type that cannot be read.')
  }
}

/** Since version 14 the metadata describes its types; before, clients needed separate type definitions. */
export class OldMetadata extends UpstreamError {
  readonly version: number
  constructor(version: number) {
    super('bad_answer', `The runtime has metadata of version ${version}; 14 and later can be read.`)
    this.version = version
  }
}

const magic = '6d657461'

/** Undefined when the bytes are not metadata. */
export function versionOf(hex: string): number | undefined {
  const start = hex.indexOf(magic)
  if (start < 0) return undefined
  const version = Number.parseInt(hex.slice(start + magic.length, start + magic.length + 2), 16)
  return Number.isNaN(version) ? undefined : version
}

/** The names of a pallet and its error by their numbers; undefined when the metadata does not have them. */
function nameError({ pallets, lookup }: UnifiedMetadata, { index, error }: ModuleError): NamedError | undefined {
  const pallet = pallets.find((each) => each.index === index)
  const def = pallet?.errors && lookup[pallet.errors.type]?.def
  const variant = def?.tag === 'variant' ? def.value.find((each) => each.index === error) : undefined
  return pallet && variant && { type: pallet.name, value: variant.name }
}

function readMetadata(hex: string, library: Library): UnifiedMetadata {
  const version = versionOf(hex)
  if (version !== undefined && version < 14) throw new OldMetadata(version)
  try {
    return library.unifyMetadata(library.decAnyMetadata(hex))
  } catch {
    throw new UpstreamError('bad_answer', 'The node returned metadata that cannot be read.')
  }
}

const prefixBytes = new Map<string, number>([
  ['u8', 1],
  ['u16', 2],
])

function ss58PrefixOf(metadata: UnifiedMetadata, type: (id: number) => LookupEntry): number | undefined {
  const system = metadata.pallets.find(({ name }) => name === 'System')
  const constant = system?.constants.find(({ name }) => name === 'SS58Prefix')
  if (!constant) return undefined
  const entry = type(constant.type)
  const size = entry.type === 'primitive' ? prefixBytes.get(entry.value) : undefined
  return size === undefined ? undefined : Cursor.ofHex(constant.value).small(size, false)
}
