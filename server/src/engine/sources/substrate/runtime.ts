import type { LookupEntry } from '@polkadot-api/metadata-builders'
import type { Codec, UnifiedMetadata } from '@polkadot-api/substrate-bindings'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { Cursor } from './cursor.ts'
import { type Decode, decoders, type ModuleError, type NamedError } from './decode.ts'
import { type Library, loadLibrary } from './library.ts'
import { countParts, partsMax, TooManyParts } from './metadata/count-parts.ts'
import { keepNamedFields } from './metadata/named-fields.ts'

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
  return bytesOf(hex)?.[magic.length / 2]
}

/** A runtime call returns the metadata inside an option and with its length, and the magic number is where it begins. */
function bytesOf(hex: string): Uint8Array | undefined {
  const start = hex
    .slice(0, 2 * wrappingMax)
    .toLowerCase()
    .indexOf(magic)
  // The library reads the memory of a Buffer from its start, which other Buffers share.
  return start < 0 ? undefined : new Uint8Array(Buffer.from(hex.slice(start), 'hex'))
}

const wrappingMax = 32

/** The names of a pallet and its error by their numbers; undefined when the metadata does not have them. */
function nameError({ pallets, lookup }: UnifiedMetadata, { index, error }: ModuleError): NamedError | undefined {
  const pallet = pallets.find((each) => each.index === index)
  const def = pallet?.errors && lookup[pallet.errors.type]?.def
  const variant = def?.tag === 'variant' ? def.value.find((each) => each.index === error) : undefined
  return pallet && variant && { type: pallet.name, value: variant.name }
}

/** An index of a pallet is one byte. */
const palletsMax = 256
/** The library lists all pallets in each type that has the form of a pallet's error. Runtimes have one. */
const errorTypesMax = 16

function readMetadata(hex: string, library: Library): UnifiedMetadata {
  const bytes = bytesOf(hex)
  const version = bytes?.[magic.length / 2]
  if (version !== undefined && version < 14) throw new OldMetadata(version)
  try {
    if (!bytes) throw new RangeError('no magic number')
    countParts(bytes)
    const metadata = unified(library.metadata.dec(bytes), library)
    if (metadata.pallets.length > palletsMax || metadata.lookup.filter(isErrorType).length > errorTypesMax)
      throw new TooManyParts()
    return metadata
  } catch (error) {
    if (error instanceof TooManyParts)
      throw new UpstreamError('bad_answer', `The metadata has more than ${partsMax.toLocaleString('en-US')} parts.`)
    throw new UpstreamError('bad_answer', 'The node returned metadata that cannot be read.')
  }
}

function isErrorType({ def }: UnifiedMetadata['lookup'][number]): boolean {
  if (def.tag !== 'composite' || def.value.length !== 2) return false
  return def.value[0]?.name === 'index' && def.value[1]?.name === 'error'
}

/**
 * The library refuses metadata of version 16 without extensions of version 0. A runtime may have only later ones, so this
 * gives it empty ones and takes them out again: a transaction that names version 0 cannot be read then.
 */
function unified({ metadata }: ReturnType<Library['metadata']['dec']>, library: Library): UnifiedMetadata {
  if (metadata.tag !== 'v16') return library.unifyMetadata(metadata)
  const { extrinsic } = metadata.value
  if (extrinsic.signedExtensionsByVersion.some(([version]) => version === 0)) return library.unifyMetadata(metadata)
  const signedExtensionsByVersion: [number, number[]][] = [[0, []], ...extrinsic.signedExtensionsByVersion]
  const read = library.unifyMetadata({ ...metadata.value, extrinsic: { ...extrinsic, signedExtensionsByVersion } })
  const { 0: _, ...extensionsByVersion } = read.extrinsic.extensionsByVersion
  return { ...read, extrinsic: { ...read.extrinsic, extensionsByVersion } }
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
