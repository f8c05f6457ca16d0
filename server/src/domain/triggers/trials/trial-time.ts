import type { Engine } from '../../../engine/engine.ts'

/** The time limit of a whole try-out, because a block takes several calls and a search many blocks. */
export function trialMs({ sourceTimeoutMs }: Engine): number {
  return 3 * sourceTimeoutMs
}
