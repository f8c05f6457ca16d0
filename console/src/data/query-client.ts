import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '@tocsin/sdk'

const whenSignedOut: (() => void)[] = []

/** Called when the service no longer knows who we are, whatever page asked. */
export function onSignedOut(act: () => void): void {
  whenSignedOut.push(act)
}

function noticeSignedOut(error: Error): void {
  if (error instanceof ApiError && error.code === 'unauthenticated') for (const act of whenSignedOut) act()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignedOut }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      // A form that signs in is itself told why it failed.
      if (mutation.meta?.signsIn !== true) noticeSignedOut(error)
    },
  }),
  defaultOptions: { queries: { staleTime: 10_000, retry: isWorthAnotherTry } },
})

/** A refusal stays a refusal; a network that failed or a server that stumbled may do better. */
function isWorthAnotherTry(failures: number, error: Error): boolean {
  if (error instanceof ApiError && error.status < 500) return false
  return failures < 2
}
