import type { LiveProcess } from '../../store/following/engine-processes.ts'

/**
 * How the sources are spread over the engine processes. Each process follows an equal share. If the shares cannot be equal,
 * the oldest processes follow one source more. A process takes free sources up to its share. Above its share it hands over as
 * many sources as the other processes lack.
 */
export function shareOf(sources: number, processes: readonly LiveProcess[], id: string): number {
  const found = processes.findIndex((process) => process.id === id)
  const count = found < 0 ? processes.length + 1 : processes.length
  const rank = found < 0 ? processes.length : found
  return Math.floor(sources / count) + (rank < sources % count ? 1 : 0)
}

/** How many sources to hand over. Without a process that would take them, none: a source is never left unfollowed. */
export function surplusOf(held: number, share: number, processes: readonly LiveProcess[], id: string): number {
  const lacking = processes.filter((process) => process.id !== id).reduce((sum, { lacks }) => sum + lacks, 0)
  return Math.min(Math.max(0, held - share), lacking)
}
