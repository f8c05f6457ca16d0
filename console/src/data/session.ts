import { redirect } from '@tanstack/react-router'
import { readCsrfToken } from './api.ts'
import { apiQuery, useApiQuery } from './queries.ts'
import { queryClient } from './query-client.ts'

/** Lets a page load for somebody who is signed in; others go to the sign-in page and come back. */
export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  if (readCsrfToken() === undefined) throw signInFirst(location.href)
  await queryClient.ensureQueryData(apiQuery('getMe')).catch(() => {
    throw signInFirst(location.href)
  })
}

function signInFirst(href: string) {
  return redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } })
}

export function useMe() {
  return useApiQuery('getMe')
}

/** Another account must not see what this one has read. */
export function forgetSession(): void {
  queryClient.clear()
}

/** Where to go after signing in: only to a page of our own. */
export function safeNext(next: string | undefined): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/'
}
