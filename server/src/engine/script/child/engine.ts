import type { FailureKind } from '../protocol.ts'

/** A JavaScript engine of a child. Only text goes in and comes out, so a script shares no object with the child. */
export type Engine = {
  /** Compiles the code, or returns it from the cache. It does not run the tenant's code yet. */
  load(code: string, cpuMsMax: number): Loaded | CallFailure
}

/** Every call starts from the state after loading, whatever earlier calls did. */
export type Loaded = { kind: 'loaded'; call(context: Uint8Array, nowMs: number, cpuMsMax: number): CallResult }

export type CallResult = (CallValue | CallFailure) & { logs?: Uint8Array }
/** The result as JSON. */
export type CallValue = { kind: 'value'; json: Uint8Array }
export type CallFailure = { kind: FailureKind; message: string; stack?: string }
