import type { Engine } from '../../../engine/engine.ts'

/** A block is several calls and a search many blocks; somebody waits for all of them together. */
export function trialMs({ sourceTimeoutMs }: Engine): number {
  return 3 * sourceTimeoutMs
}
