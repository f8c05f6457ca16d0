import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RouteName } from '@tocsin/contract'
import { type Body, type CallArgs, callWhole, nounOf } from './api.ts'

/** A key is noun, route, arguments. A change of a noun invalidates all keys of that noun. */
export function keyOf(name: RouteName, args: object = {}): readonly unknown[] {
  return [nounOf(name), name, args]
}

/** Query options for one call of the API, for `useQuery` and for route loaders. */
export function apiQuery<Name extends RouteName>(name: Name, args?: CallArgs<Name>) {
  return queryOptions<Body<Name>>({
    queryKey: keyOf(name, args),
    queryFn: async ({ signal }) => (await callWhole(name, { ...args, signal })).body,
  })
}

export function useApiQuery<Name extends RouteName>(
  name: Name,
  args?: CallArgs<Name>,
  options: { pollMs?: number; enabled?: boolean } = {},
) {
  const { pollMs, enabled } = options
  return useQuery({
    ...apiQuery(name, args),
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
    ...(enabled !== undefined && { enabled }),
  })
}

/** An entity with its ETag. A save that sends the tag as `ifMatch` does not overwrite another person's change. */
export type Entity<View> = { view: View; tag: string | undefined }

export function useEntity<Name extends RouteName>(
  name: Name,
  args: CallArgs<Name>,
  { pollMs }: { pollMs?: number } = {},
) {
  return useQuery<Entity<Body<Name>>>({
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
    queryKey: [...keyOf(name, args), 'entity'],
    queryFn: async ({ signal }) => {
      const { body, headers } = await callWhole(name, { ...args, signal })
      return { view: body, tag: headers.get('etag') ?? undefined }
    },
  })
}
