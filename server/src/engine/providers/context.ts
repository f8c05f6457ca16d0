import type { ExecutionPolicy, Provider } from '@tocsin/contract'
import type { Door } from '../outbound/door.ts'
import type { ScriptLog, Scripts } from '../script/index.ts'
import type { BlockRef } from '../sources/block.ts'
import type { Connection } from '../sources/connection.ts'
import type { ParkedRun } from './parked-run.ts'
import type { ResultCache } from './result-cache.ts'
import type { OpenSecrets } from './secrets.ts'
import type { Windows } from './state-window/windows.ts'

/** The reads of one block, running or done. A failed read is removed, so that the next run can try again. */
export type ReadMemo = Map<string, Promise<unknown>>

/** The services and the item of a run of providers. */
export type ProvidersContext = {
  source: unknown
  inputs: Record<string, unknown>
  /** The block of the item. A timer tick has none. */
  at?: BlockRef
  /** The time that scripts see, if the item has one. */
  nowMs: number | undefined
  /** The time of a try-out. The age of a price needs a time even if the item has none. */
  askedAtMs?: number
  door: Door
  scripts: Pick<Scripts, 'run'>
  windows: Windows
  /** The owner of the windows: a trigger, or a draft in a test. */
  trigger: string
  /**
   * The source of the item, for a trigger on several sources. Each source has its own windows and cached results: an undone
   * block of one must not change what another added, and equal reads of two chains differ.
   */
  boundSource?: string | null | undefined
  /** Returns the connection of the named source, or of the trigger's own source. Throws an UpstreamError if there is none. */
  connection: (source: string | undefined) => Connection | Promise<Connection>
  /** All runs of one block share it, so that equal reads run once. */
  memo?: ReadMemo
  /** The results of providers with `cache`. Without it, as in tests, each provider runs. */
  cache?: ResultCache | undefined
  /** Lets a run wait for a provider with `retry`. Without it, as in tests, a provider has one attempt. */
  parking?: { nowMs(): number } | undefined
  /** The state of a run that waited. */
  parked?: ParkedRun | undefined
  /** Opens the project's secrets. Without it, placeholders of secrets are not resolved. */
  secrets?: OpenSecrets | undefined
  policy?: ExecutionPolicy | null
  /** The operator's limit on the sum of weights in one run; no limit by default. */
  weightBudget?: number
  /** Results by provider id that replace the call. A preview sends them; the test of one provider sends those of earlier providers. */
  given?: Record<string, unknown>
  /** The path of a provider in the payload, for issues. */
  pathOf?: (index: number) => string
}

export type ProviderDebug = {
  ok: boolean
  durationMs: number
  request?: Record<string, unknown>
  error?: string
  /** True if `runIf` was falsy, so the provider did not run. */
  skipped?: boolean
}

/** The context of one provider call. */
export type Call = {
  context: ProvidersContext
  /** The definition with its placeholders, and the providers before it. */
  definition: Provider
  earlier: readonly Provider[]
  /** The results of the providers before it. */
  values: Record<string, unknown>
  timeoutMs: number
  responseBytesMax: number
  log: (entry: ScriptLog) => void
}

/** A provider failed for a reason that its author or the remote server can fix. */
export class ProviderFailure extends Error {
  /** True if the remote server may answer later. */
  readonly isTransient: boolean
  /** True if the HTTP status was outside 2xx. */
  readonly isHttpError: boolean
  constructor(message: string, isTransient = false, isHttpError = false) {
    super(message)
    this.isTransient = isTransient
    this.isHttpError = isHttpError
  }
}

/** This machine had no time for a script. That says nothing about the provider. */
export class OverloadFailure extends ProviderFailure {
  constructor(message: string) {
    super(message, true)
  }
}

export type ProviderOf<T extends Provider['type']> = Extract<Provider, { type: T }>
