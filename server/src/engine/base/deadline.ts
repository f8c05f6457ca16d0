/** Waits for the work, and fails with the error of `late` when the time is over. The work itself goes on. */
export async function within<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    // The work may still fail after nobody waits for it.
    work.catch(() => undefined)
  }
}

/** Waits for the work at most this long. Undefined when the time is over; the work itself goes on. */
export async function waitAtMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
