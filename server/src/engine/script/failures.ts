import type { ScriptFailure, ScriptFailureKind } from './index.ts'
import { limits } from './limits.ts'

export function failure(kind: ScriptFailureKind, message: string): ScriptFailure {
  return { ok: false, kind, message, logs: [] }
}

export const failures = {
  contextTooLarge: failure('memory', `the context is larger than ${limits.contextBytes} bytes of JSON`),
  killed: failure('timeout', 'the script did not stop when its CPU time was used up, and was ended by force'),
  crashed: (reason: string) => failure('crash', `the process that ran the script ended${reason && `: ${reason}`}`),
  overloaded: failure('overloaded', 'too many scripts are waiting: try again in a moment'),
  stopping: failure('crash', 'the service is stopping'),
  quarantined: (forMs: number) =>
    failure(
      'quarantined',
      `the script is stopped for ${Math.ceil(forMs / 60_000)} min after it took too much time or memory again and again`,
    ),
}
