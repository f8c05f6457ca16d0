import type { Issue } from '@tocsin/contract'
import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock } from '../block.ts'
import { isSameCall, isSameName } from './names.ts'
import type { Pallet, Runtime } from './runtime.ts'

/** An event as triggers see it. Unnamed arguments are in `params` under their position. */
export type SubstrateEvent = SourceItem & {
  block: { number: number; hash: string; timestamp: number | null }
  /** Its index among the events of the block. */
  index: number
  pallet: string
  event: string
  phase: string
  /** The index of the extrinsic that caused it; null when the block itself did. */
  extrinsic: number | null
  args: unknown[]
  params: Record<string, unknown>
}

/** An extrinsic's call, or a call that it runs. Unnamed arguments are in `params` under their position. */
export type SubstrateCall = SourceItem & {
  block: { number: number; hash: string; timestamp: number | null }
  /** The index of the extrinsic in the block. */
  index: number
  /** The hash of the extrinsic. */
  hash: string
  pallet: string
  call: string
  args: unknown[]
  params: Record<string, unknown>
  /** The account that signed the extrinsic; null if nobody did. */
  sender: string | null
  nonce: number | string | null
  /** `0` is the extrinsic's own call, `0.2` the third call inside it. */
  path: string
  success: boolean
  error?: unknown
}

/** The fields of a header that triggers on blocks see. */
export type SubstrateHeader = { stateRoot: string; extrinsicsRoot: string; author?: string }

/** What a block holds besides its events. */
type More = { header?: SubstrateHeader; calls?: readonly SubstrateCall[]; runtime?: Runtime }

/** The type of `ChainBlock.contents` on Substrate: all events of the block and, if they were fetched, its calls, decoded. */
export class SubstrateContents {
  readonly events: readonly SubstrateEvent[]
  readonly calls?: readonly SubstrateCall[]
  readonly header?: SubstrateHeader
  readonly #runtime: Runtime | undefined

  constructor(events: readonly SubstrateEvent[], { header, calls, runtime }: More = {}) {
    this.events = events
    if (calls) this.calls = calls
    if (header) this.header = header
    this.#runtime = runtime
  }

  /** The first name that the runtime of the block does not have. */
  missingName(names: SpecNames): MissingName | undefined {
    return this.#runtime && findMissingName(this.#runtime, names)
  }
}

/** A spec whose names the chain does not have matches nothing, and its author should learn why. */
export function issuesOfNames(block: ChainBlock, names: SpecNames): Issue[] {
  const missing = requireContents(block).missingName(names)
  return missing ? [{ path: `triggerSpec.${missing.field}`, message: missing.message }] : []
}

export function requireContents({ contents }: ChainBlock): SubstrateContents {
  if (contents instanceof SubstrateContents) return contents
  throw new Error('the block is not of a Substrate chain')
}

/** The names in a spec of events or calls. */
type SpecNames = { pallet?: string | undefined; event?: string | undefined; call?: string | undefined }
type MissingName = { field: keyof SpecNames; message: string }

/** The first name that the runtime does not have; undefined when it has all. */
function findMissingName(runtime: Runtime, { pallet, event, call }: SpecNames): MissingName | undefined {
  const pallets = runtime.pallets.filter(({ name }) => pallet === undefined || isSameName(name, pallet))
  if (pallet !== undefined && pallets.length === 0)
    return { field: 'pallet', message: `the chain has no pallet ${pallet.slice(0, 64)}` }
  const whose = pallet === undefined ? 'the chain' : `the pallet ${pallets[0]?.name}`
  const has = (type: (pallet: Pallet) => number | undefined, isSame: (name: string) => boolean) =>
    pallets.some((each) => variantsOf(runtime, type(each)).some(isSame))
  if (
    event !== undefined &&
    !has(
      ({ events }) => events?.type,
      (name) => isSameName(name, event),
    )
  )
    return { field: 'event', message: `${whose} has no event ${event.slice(0, 64)}` }
  if (
    call !== undefined &&
    !has(
      ({ calls }) => calls?.type,
      (name) => isSameCall(name, call),
    )
  )
    return { field: 'call', message: `${whose} has no call ${call.slice(0, 64)}` }
  return undefined
}

function variantsOf({ types }: Runtime, type: number | undefined): string[] {
  const def = type === undefined ? undefined : types[type]?.def
  return def?.tag === 'variant' ? def.value.map(({ name }) => name) : []
}
