/** One turn of a child: some items of one script, each with the clock that it sees. The contexts follow as bytes. */
export type Turn = {
  /** The script as the child evaluates it: see program.ts. */
  code: string
  /** See keeps-to-itself.ts. */
  keepsToItself: boolean
  cpuMsMax: number
  turnCpuMs: number
  items: { bytes: number; nowMs: number }[]
}

/** The first items of the turn, at least one; those left over are sent again. `rssBytes` tells when to start afresh. */
export type Answer = { outcomes: Outcome[]; rssBytes: number }

/** `value` and `logs` say how many bytes of JSON follow, in this order. */
export type Outcome = { logs: number } & (
  | { kind: 'value'; bytes: number }
  | { kind: FailureKind; message: string; stack?: string }
)

export type FailureKind = 'syntax' | 'throw' | 'timeout' | 'memory' | 'output_limit' | 'not_json' | 'crash'

/** The name that the engine gives to the tenant's code in stacks. */
export const scriptFile = 'script.js'
