/** Waits for the work and throws the error of `late` after `ms`. The work itself continues. */
export async function within<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    // The work may fail later, which must not become an unhandled rejection.
    work.catch(() => undefined)
  }
}

/** Waits for the work at most `ms`, then returns undefined. The work itself continues. */
export async function waitAtMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
