import type { Match } from './job.ts'

/** One job carries so much: a slow trigger then holds up a chunk and no more, and a crash repeats little. */
const matchesMost = 100
const listenersMost = 1_000

/** A match with very many listeners is cut, too; whoever listens to its outputs gets them from the first piece. */
export function chunksOf(matches: readonly Match[]): Match[][] {
  const chunks: Match[][] = []
  let room = 0
  for (const match of matches)
    for (let from = 0; from === 0 || from < match.listeners.length; from += listenersMost) {
      const listeners = match.listeners.slice(from, from + listenersMost)
      const last = chunks.at(-1)
      const piece = { ...match, listeners, ...(from > 0 && { isRetryFor: 'listeners' as const }) }
      if (last && last.length < matchesMost && listeners.length <= room) last.push(piece)
      else chunks.push([piece])
      room = (chunks.at(-1)?.length === 1 ? listenersMost : room) - listeners.length
    }
  return chunks
}
