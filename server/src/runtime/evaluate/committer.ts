import type { RuntimeDeps } from '../deps.ts'
import { commitChunks, Lapsed } from './commit.ts'
import type { Evaluated } from './run-chunk.ts'

/** Chunks that are ready go into the next commit together; while one is under way, others gather. */
export type Committer = { commit(chunk: Evaluated): Promise<void> }
type Waiting = { chunk: Evaluated; done: PromiseWithResolvers<void> }

const commitsAtOnce = 2
const chunksMax = 20
const candidatesMax = 2_000

export function makeCommitter(deps: RuntimeDeps): Committer {
  const waiting: Waiting[] = []
  let underWay = 0
  const pump = () => {
    while (underWay < commitsAtOnce && waiting.length > 0) {
      underWay++
      void commitTogether(deps, takeSome(waiting)).finally(() => {
        underWay--
        pump()
      })
    }
  }
  return {
    commit(chunk) {
      const done = Promise.withResolvers<void>()
      waiting.push({ chunk, done })
      pump()
      return done.promise
    },
  }
}

function takeSome(waiting: Waiting[]): Waiting[] {
  let [chunks, candidates] = [0, 0]
  for (const { chunk } of waiting) {
    candidates += chunk.candidates.length
    if (chunks > 0 && (chunks === chunksMax || candidates > candidatesMax)) break
    chunks++
  }
  return waiting.splice(0, chunks)
}

/** Never throws: each chunk is told how it went. One that cannot be committed does not take the others with it. */
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
      error instanceof Lapsed ? error.ids.has(chunk.claimed.id) : group.length === 1
    for (const lost of group.filter(isLost)) lost.done.reject(error)
    const left = group.filter((one) => !isLost(one))
    if (error instanceof Lapsed) return commitTogether(deps, left)
    for (const one of left) await commitTogether(deps, [one])
  }
}
