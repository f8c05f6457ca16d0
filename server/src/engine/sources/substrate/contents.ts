import type { Issue } from '@tocsin/contract'
import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock } from '../block.ts'
import { findMissingName, type MissingName, type SpecNames } from './missing-names.ts'
import type { Runtime } from './runtime.ts'

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
