import type { FailureKind } from '../protocol.ts'

/** What a child needs of a JavaScript engine. Only text goes in and comes out: no object is shared with the script. */
export type Engine = {
  /** Makes the code ready, or keeps it ready from last time; nothing of the tenant's runs yet. */
  load(code: string, cpuMsMax: number): Loaded | Failed
}

/** Every call begins from the state that loading left, whatever the call before did. */
export type Loaded = { kind: 'loaded'; call(context: Uint8Array, nowMs: number, cpuMsMax: number): Called }

export type Called = (Valued | Failed) & { logs?: Uint8Array }
/** The result as JSON. */
export type Valued = { kind: 'value'; json: Uint8Array }
export type Failed = { kind: FailureKind; message: string; stack?: string }
