/**
 * Turns many single calls into few calls for a group. While a group runs, further calls wait and form the next group, so a
 * call on an idle service runs at once and many calls share transactions.
 */
export type GroupOptions<Query> = {
  /** Sizes of the queries of one group add up to at most this. A single larger query is a group of its own. */
  sizeMax: number
  sizeOf?: (query: Query) => number
  /** Two groups start at least this many milliseconds apart, so that each can collect some calls. */
  paceMs?: number
}
type Call<Query, Reply> = PromiseWithResolvers<Reply> & { query: Query }

/** `run` returns one reply for each query, in their order. */
export function groupCalls<Query, Reply>(
  run: (queries: readonly Query[]) => Promise<readonly Reply[]>,
  { sizeMax, sizeOf = () => 1, paceMs = 0 }: GroupOptions<Query>,
): (query: Query) => Promise<Reply> {
  const waiting: Call<Query, Reply>[] = []
  let isRunning = false
  const runNext = async () => {
    const startedMs = performance.now()
    await runGroup(run, takeGroup(waiting, sizeMax, sizeOf))
    isRunning = waiting.length > 0
    if (isRunning) start(paceMs - (performance.now() - startedMs))
  }
  const start = (afterMs: number) => {
    if (afterMs >= 1) setTimeout(runNext, afterMs)
    else setImmediate(runNext)
  }
  return (query) => {
    const call = { ...Promise.withResolvers<Reply>(), query }
    waiting.push(call)
    if (!isRunning) start(0)
    isRunning = true
    return call.promise
  }
}

function takeGroup<Query, Reply>(
  waiting: Call<Query, Reply>[],
  sizeMax: number,
  sizeOf: (query: Query) => number,
): Call<Query, Reply>[] {
  let [count, size] = [0, 0]
  for (const { query } of waiting) {
    size += sizeOf(query)
    if (count > 0 && size > sizeMax) break
    count += 1
  }
  return waiting.splice(0, count)
}

/** Never throws: it resolves or rejects each call. One query with a value that the store refuses must not fail the others. */
async function runGroup<Query, Reply>(
  run: (queries: readonly Query[]) => Promise<readonly Reply[]>,
  group: readonly Call<Query, Reply>[],
): Promise<void> {
  try {
    const replies = await run(group.map(({ query }) => query))
    for (const [at, reply] of replies.entries()) group[at]?.resolve(reply)
  } catch (error) {
    if (group.length === 1 || !isRefusedValue(error)) for (const { reject } of group) reject(error)
    else for (const call of group) await runGroup(run, [call])
  }
}

/** PostgreSQL refuses a value by an error of class 22 (data exception) or 23 (constraint). */
function isRefusedValue(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}
