import type { ExecutionPolicy, Provider } from '@tocsin/contract'
import type { Door } from '../outbound/door.ts'
import type { ScriptLog, Scripts } from '../script/index.ts'
import type { BlockRef } from '../sources/block.ts'
import type { Connection } from '../sources/connection.ts'
import type { ReadMemo } from './memo.ts'
import type { OpenSecrets } from './secrets.ts'
import type { Windows } from './state-window/windows.ts'

/** What a run of providers may touch, and for which item. */
export type ProvidersContext = {
  source: unknown
  inputs: Record<string, unknown>
  /** The block of the item; a timer has none. */
  at?: BlockRef
  /** The clock that scripts see. */
  nowMs: number
  door: Door
  scripts: Pick<Scripts, 'run'>
  windows: Windows
  /** Whose windows: the trigger, or the draft that is tried out. */
  trigger: string
  /** A way to the named source, or to the trigger's own when no name is given. Throws an UpstreamError if there is none. */
  connection: (source: string | undefined) => Connection | Promise<Connection>
  /** Shared by all runs of one block, so that the same read is made once. */
  memo?: ReadMemo
  /** Of the project whose trigger runs. Without it, a placeholder that names a secret is not resolved. */
  secrets?: OpenSecrets | undefined
  policy?: ExecutionPolicy | null
  /** The most that the weights of one run may add up to; the operator's, none by default. */
  weightBudget?: number
  /** Results that are given and not fetched, by provider id: a preview brings them along, a test of one provider those before it. */
  given?: Record<string, unknown>
  /** Where a provider stands in the payload, for issues. */
  pathOf?: (index: number) => string
}

export type ProviderDebug = { ok: boolean; durationMs: number; request?: Record<string, unknown>; error?: string }

/** One provider, its placeholders filled in, at work. */
export type Call = {
  context: ProvidersContext
  /** The definition as it was written, and what stands before it. */
  definition: Provider
  earlier: readonly Provider[]
  /** Results of the providers before it. */
  values: Record<string, unknown>
  timeoutMs: number
  responseBytesMax: number
  log: (entry: ScriptLog) => void
}

/** A provider could not do its work, for a reason that its writer or the remote side can change. */
export class ProviderFailure extends Error {
  /** The remote side may well answer in a moment. */
  readonly isTransient: boolean
  constructor(message: string, isTransient = false) {
    super(message)
    this.isTransient = isTransient
  }
}

export type ProviderOf<T extends Provider['type']> = Extract<Provider, { type: T }>
