import type { RuntimeDeps } from '../deps.ts'
import { ClaimsExpired, commitChunks } from './commit-chunks.ts'
import type { ChunkResult } from './run-chunk.ts'

/** Commits chunks in groups: while a commit runs, finished chunks collect for the next one. */
export type Committer = { commit(chunk: ChunkResult): Promise<void> }
type Waiting = { chunk: ChunkResult; done: PromiseWithResolvers<void> }

const commitsMax = 2
const chunksMax = 20
const candidatesMax = 2_000

export function makeCommitter(deps: RuntimeDeps): Committer {
  const waiting: Waiting[] = []
  let running = 0
  const startCommits = () => {
    while (running < commitsMax && waiting.length > 0) {
      running++
      void commitTogether(deps, takeGroup(waiting)).finally(() => {
        running--
        startCommits()
      })
    }
  }
  return {
    commit(chunk) {
      const done = Promise.withResolvers<void>()
      waiting.push({ chunk, done })
      startCommits()
      return done.promise
    },
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let [chunks, candidates] = [0, 0]
  for (const { chunk } of waiting) {
    candidates += chunk.candidates.length
    if (chunks > 0 && (chunks === chunksMax || candidates > candidatesMax)) break
    chunks++
  }
  return waiting.splice(0, chunks)
}

/**
 * Never throws: it resolves or rejects the promise of each chunk. If the commit fails, the chunks are committed again one
 * by one, so that one bad chunk does not fail the others.
 */
async function commitTogether(deps: RuntimeDeps, group: readonly Waiting[]): Promise<void> {
  if (group.length === 0) return
  try {
    await commitChunks(
      deps,
      group.map(({ chunk }) => chunk),
    )
    for (const { done } of group) done.resolve()
  } catch (error) {
    const isLost = ({ chunk }: Waiting) =>
      error instanceof ClaimsExpired ? error.ids.has(chunk.claimed.id) : group.length === 1
    for (const lost of group.filter(isLost)) lost.done.reject(error)
    const left = group.filter((each) => !isLost(each))
    if (error instanceof ClaimsExpired) return commitTogether(deps, left)
    for (const each of left) await commitTogether(deps, [each])
  }
}
