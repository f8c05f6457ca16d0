import { useRouter, useSearch } from '@tanstack/react-router'
import { forgetSession, safeNext } from '../../data/session.ts'

/** What happens once somebody is in: nothing of the account before stays, and he goes where he wanted to. */
export function useSignedIn(): () => void {
  const router = useRouter()
  const { next } = useSearch({ strict: false })
  return () => {
    forgetSession()
    router.history.push(safeNext(next))
  }
}
