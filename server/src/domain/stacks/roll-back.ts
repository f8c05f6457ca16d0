import type { Store } from '../../store/index.ts'

const rolledBack = new Error('the transaction is rolled back on purpose')

/** Runs the work in a transaction, or in a savepoint inside one, takes back everything that it wrote, and returns its result. */
export async function runAndRollBack<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  return (await runMaybe(store, work, () => false)).result
}

/** Keeps what the work wrote only if `isKept` says so about its result. */
export async function runMaybe<T>(
  store: Store,
  work: (store: Store) => Promise<T>,
  isKept: (result: T) => boolean,
): Promise<{ result: T }> {
  const results: { result: T }[] = []
  try {
    return await store.tx(async (store) => {
      const result = await work(store)
      results.push({ result })
      if (!isKept(result)) throw rolledBack
      return { result }
    })
  } catch (error) {
    const last = results.at(-1)
    if (error === rolledBack && last) return last
    throw error
  }
}
