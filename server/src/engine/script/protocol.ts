/** One turn of a child: some items of one script, each with its own clock. The contexts follow as bytes. */
export type Turn = {
  /** The code that the child evaluates: see program.ts. */
  code: string
  cpuMsMax: number
  turnCpuMs: number
  items: { bytes: number; nowMs: number }[]
}

/** The outcomes of the first items, at least one. The parent sends the others again. It replaces the child if `rssBytes` is too large. */
export type Answer = { outcomes: Outcome[]; rssBytes: number }

/** `bytes` (of the value) and `logs` are the lengths of the JSON that follows, in this order. */
export type Outcome = { logs: number } & (
  | { kind: 'value'; bytes: number }
  | { kind: FailureKind; message: string; stack?: string }
)

export type FailureKind = 'syntax' | 'throw' | 'timeout' | 'memory' | 'output_limit' | 'not_json' | 'crash'

/** The name that the engine gives to the tenant's code in stacks. */
export const scriptFile = 'script.js'
