import { limits } from './limits.ts'

export type ScriptLog = { level: 'log' | 'info' | 'warn' | 'error' | 'debug'; message: string }
export type ScriptFailureKind =
  | 'syntax'
  | 'throw'
  | 'timeout'
  | 'memory'
  | 'output_limit'
  | 'not_json'
  | 'crash'
  | 'overloaded'
  | 'quarantined'
export type ScriptFailure = {
  ok: false
  kind: ScriptFailureKind
  message: string
  /** The position in the tenant's source. Both count from 1. */
  line?: number
  column?: number
  logs: ScriptLog[]
}
/** `value` is plain JSON. It is null if the script returned nothing. */
export type ScriptResult = { ok: true; value: unknown; logs: ScriptLog[] } | ScriptFailure

export function failure(kind: ScriptFailureKind, message: string): ScriptFailure {
  return { ok: false, kind, message, logs: [] }
}

export const failures = {
  contextTooLarge: failure('memory', `the context is larger than ${limits.contextBytes} bytes of JSON`),
  killed: failure('timeout', 'the script did not stop at its CPU time limit; its process was killed'),
  crashed: (reason: string) => failure('crash', `the process that ran the script ended${reason && `: ${reason}`}`),
  overloaded: failure('overloaded', 'too many scripts are waiting: try again in a moment'),
  notStarted: (reason: string) => failure('overloaded', `no process could be started to run the script: ${reason}`),
  starved: failure('overloaded', 'the machine is too busy to run the script: try again in a moment'),
  stopping: failure('crash', 'the service is stopping'),
  quarantined: (forMs: number) =>
    failure(
      'quarantined',
      `the script is stopped for ${Math.ceil(forMs / 60_000)} min because it used too much time or memory several times`,
    ),
}
