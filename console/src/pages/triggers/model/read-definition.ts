import { TriggerDraftSave } from '@tocsin/contract'
import type { Definition } from './definition.ts'

/** Reads a definition from JSON, complete or not. Undefined if a field has the wrong type. */
export function readDefinition(value: unknown): Definition | undefined {
  const read = TriggerDraftSave.safeParse(value)
  if (!read.success) return undefined
  const { status: _, ...definition } = read.data
  return definition
}
