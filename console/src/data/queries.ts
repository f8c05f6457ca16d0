import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { RouteName } from '@tocsin/contract'
import { type Args, type Body, callWhole, nounOf } from './api.ts'
import { failureOf } from './query-client.ts'

/** A key is noun, route, arguments. A change of a noun invalidates all keys of that noun. */
export function keyOf(name: RouteName, args: object): readonly unknown[] {
  return [nounOf(name), name, args]
}

/** Query options for one call of the API, for `useQuery` and for route loaders. */
export function apiQuery<Name extends RouteName>(name: Name, args: Args<Name>) {
  return queryOptions<Body<Name>>({
    queryKey: keyOf(name, args),
    queryFn: async ({ signal }) => (await callWhole(name, { ...args, signal })).body,
  })
}

/** The state of a query. `isPending`: neither an answer nor a failure has come. */
export type Asked<Data> = Pick<
  UseQueryResult<Data>,
  'data' | 'error' | 'isPending' | 'isLoading' | 'dataUpdatedAt' | 'errorUpdatedAt' | 'refetch'
>

export function useApiQuery<Name extends RouteName>(
  name: Name,
  args: Args<Name>,
  options: { pollMs?: number; enabled?: boolean } = {},
): Asked<Body<Name>> {
  const { pollMs, enabled } = options
  const query = apiQuery(name, args)
  const found = useQuery({
    ...query,
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
    ...(enabled !== undefined && { enabled }),
  })
  return withFailure(found, query.queryKey)
}

/** A query that failed says so until an answer comes, also while it is asked again. */
function withFailure<Data>(found: UseQueryResult<Data>, queryKey: readonly unknown[]): Asked<Data> {
  const error = failureOf(found, queryKey)
  return found.isPending && error ? { ...found, error, isPending: false, isLoading: false } : found
}

/** An entity with its ETag. A save that sends the tag as `ifMatch` does not overwrite another person's change. */
export type Entity<View> = { view: View; tag: string | undefined }

export function useEntity<Name extends RouteName>(
  name: Name,
  args: Args<Name>,
  { pollMs }: { pollMs?: number } = {},
): Asked<Entity<Body<Name>>> {
  const queryKey = [...keyOf(name, args), 'entity']
  const found = useQuery<Entity<Body<Name>>>({
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
    queryKey,
    queryFn: async ({ signal }) => {
      const { body, headers } = await callWhole(name, { ...args, signal })
      return { view: body, tag: headers.get('etag') ?? undefined }
    },
  })
  return withFailure(found, queryKey)
}
