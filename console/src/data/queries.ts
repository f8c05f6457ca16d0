import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RouteName } from '@tocsin/contract'
import { type Body, type CallArgs, callWhole, nounOf } from './api.ts'

/** Keys are noun, route, arguments: a change of a noun makes everything read of that noun stale. */
export function keyOf(name: RouteName, args: object = {}): readonly unknown[] {
  return [nounOf(name), name, args]
}

/** One answer of the API: for `useQuery`, and for a route's loader. */
export function apiQuery<Name extends RouteName>(name: Name, args?: CallArgs<Name>) {
  return queryOptions<Body<Name>>({
    queryKey: keyOf(name, args),
    queryFn: async ({ signal }) => (await callWhole(name, { ...args, signal })).body,
  })
}

export function useApiQuery<Name extends RouteName>(
  name: Name,
  args?: CallArgs<Name>,
  options: { everyMs?: number; enabled?: boolean } = {},
) {
  const { everyMs, enabled } = options
  return useQuery({
    ...apiQuery(name, args),
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(enabled !== undefined && { enabled }),
  })
}

/** An entity with the tag of the version that was read; a save that sends it never overwrites somebody else's. */
export type Entity<View> = { view: View; tag: string | undefined }

export function useEntity<Name extends RouteName>(
  name: Name,
  args: CallArgs<Name>,
  { everyMs }: { everyMs?: number } = {},
) {
  return useQuery<Entity<Body<Name>>>({
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    queryKey: [...keyOf(name, args), 'entity'],
    queryFn: async ({ signal }) => {
      const { body, headers } = await callWhole(name, { ...args, signal })
      return { view: body, tag: headers.get('etag') ?? undefined }
    },
  })
}
