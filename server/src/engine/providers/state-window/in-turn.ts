const queues = new WeakMap<object, Map<string, Promise<unknown>>>()

/** One after the other for the same name of the same owner; a failure does not hold up the next. */
export async function inTurn<T>(owner: object, name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(owner) ?? new Map<string, Promise<unknown>>()
  queues.set(owner, queue)
  const turn = (queue.get(name) ?? Promise.resolve()).then(work, work)
  queue.set(name, turn)
  try {
    return await turn
  } finally {
    if (queue.get(name) === turn) queue.delete(name)
  }
}
