import type { ScriptFailureKind } from '../script-result.ts'

/** `value` is the result of a script that may finish; `failure` lists the allowed failures of one that must not. */
export type Hostile = { name: string; source: string } & (
  | { value: unknown }
  | { failure: ScriptFailureKind | ScriptFailureKind[] }
)
