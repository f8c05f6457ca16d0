import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '@tocsin/sdk'

const signedOutListeners: (() => void)[] = []

/** Registers a function that runs when the service answers that the session has ended. */
export function onSignedOut(listener: () => void): void {
  signedOutListeners.push(listener)
}

/** True if the service answered that there is no session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthenticated'
}

function reportSignedOut(error: Error): void {
  if (isSignedOut(error)) for (const listener of signedOutListeners) listener()
}

const failures = new WeakMap<object, Error>()

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      failures.set(query, error)
      reportSignedOut(error)
    },
    onSuccess: (_data, query) => void failures.delete(query),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      // A sign-in form shows its own error.
      if (mutation.meta?.signsIn !== true) reportSignedOut(error)
    },
  }),
  defaultOptions: { queries: { staleTime: 10_000, retry: isRetryable } },
})

/**
 * The error of a query until an answer comes. TanStack Query forgets the error of a query without data when it asks again,
 * so a page would show that it loads.
 */
export function failureOf(found: { error: Error | null; isPending: boolean }, queryKey: QueryKey): Error | null {
  if (found.error || !found.isPending) return found.error
  const query = queryClient.getQueryCache().find({ queryKey, exact: true })
  return (query && failures.get(query)) ?? null
}

/** Client errors are final. Network errors and server errors may succeed on a retry. */
function isRetryable(failures: number, error: Error): boolean {
  if (error instanceof ApiError && error.status < 500) return false
  return failures < 2
}
