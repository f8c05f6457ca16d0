import { useRouter, useSearch } from '@tanstack/react-router'
import { forgetSession, safeNext } from '../../data/session.ts'

/** Returns a function to call after sign-in: it clears cached data and opens the page that the user wanted. */
export function useSignedIn(): () => void {
  const router = useRouter()
  const { next } = useSearch({ strict: false })
  return () => {
    forgetSession()
    router.history.push(safeNext(next))
  }
}
