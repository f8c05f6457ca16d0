import type { ScriptFailureKind } from '../index.ts'

/** `value` for a script that may finish, and must then have found nothing; else the failures that contain it. */
export type Hostile = { name: string; source: string } & (
  | { value: unknown }
  | { failure: ScriptFailureKind | ScriptFailureKind[] }
)
