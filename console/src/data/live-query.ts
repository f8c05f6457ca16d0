import { hashKey, keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RouteName } from '@tocsin/contract'
import { useMemo } from 'react'
import type { Args } from './api.ts'
import { apiQuery } from './queries.ts'

/**
 * A call that asks again when `args` change, and shows the last answer until then. `args` must be memoised: the query's
 * hash covers all of them, and a long definition takes milliseconds to hash.
 */
export function useLiveQuery<Name extends RouteName>(name: Name, args: Args<Name>, enabled = true) {
  const options = useMemo(() => {
    const query = apiQuery(name, args)
    return { ...query, queryHash: hashKey(query.queryKey) }
  }, [name, args])
  return useQuery({ ...options, enabled, placeholderData: keepPreviousData, staleTime: 60_000, gcTime: 10_000 })
}
