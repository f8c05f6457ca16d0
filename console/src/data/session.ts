import { redirect } from '@tanstack/react-router'
import { readCsrfToken } from './api.ts'
import { setChains } from './chains.ts'
import { apiQuery, useApiQuery } from './queries.ts'
import { isSignedOut, queryClient } from './query-client.ts'

/** Redirects a visitor without a session to the sign-in page, which returns to this page afterwards. */
export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  if (readCsrfToken() === undefined) throw signInFirst(location.href)
  const loading = Promise.all([
    queryClient.ensureQueryData(apiQuery('getMe', {})),
    queryClient.ensureQueryData(apiQuery('listChains', {})).then(({ chains }) => setChains(chains)),
  ])
  await loading.catch((error) => {
    // A service that fails or restarts says nothing about the session.
    throw isSignedOut(error) ? signInFirst(location.href) : error
  })
}

function signInFirst(href: string) {
  return redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } })
}

export function useMe() {
  return useApiQuery('getMe', {})
}

/** Clears the cache, so that the next account does not see this account's data. */
export function forgetSession(): void {
  queryClient.clear()
}

/** The page to open after sign-in. Only a path of this site is accepted. */
export function safeNext(next: string | undefined): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/'
}
