import { useInfiniteQuery } from '@tanstack/react-query'
import type { RouteName } from '@tocsin/contract'
import { useMemo } from 'react'
import { type Args, type Body, callWhole, type Item } from './api.ts'
import { keyOf } from './queries.ts'
import { failureOf } from './query-client.ts'

export type List<One> = {
  items: One[]
  /** The first answer has not come. */
  isLoading: boolean
  /** The list could not be read. It stays until an answer comes, also while the list is asked again. */
  error: Error | null
  /** The service has more items than are loaded. */
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
  reload(): void
}

type Page<Name extends RouteName> = { items: Body<Name>; next: string | undefined }

/** A list of the API. Pages are loaded by the cursor in the `Link` header. */
export function useApiList<Name extends RouteName>(
  name: Name,
  args: Args<Name>,
  options: { pollMs?: number; pollWhileEmptyMs?: number; freshMs?: number; enabled?: boolean } = {},
): List<Item<Name>> {
  const { pollMs, pollWhileEmptyMs, freshMs, enabled = true } = options
  const queryKey = [...keyOf(name, args), 'list']
  const found = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(name, args, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Name>) => page.next,
    enabled,
    ...(freshMs !== undefined && { staleTime: freshMs }),
    refetchInterval: ({ state }) => {
      const isEmpty = state.data !== undefined && itemsOf(state.data.pages).length === 0
      return (isEmpty ? pollWhileEmptyMs : undefined) ?? pollMs ?? false
    },
  })
  const pages = found.data?.pages
  const items = useMemo(() => itemsOf<Name>(pages ?? []), [pages])
  const error = failureOf(found, queryKey)
  return {
    items,
    isLoading: found.isPending && enabled && !error,
    error,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    loadMore: () => void found.fetchNextPage(),
    reload: () => void found.refetch(),
  }
}

function itemsOf<Name extends RouteName>(pages: readonly Page<Name>[]): Item<Name>[] {
  return pages.flatMap(({ items }) => items as Item<Name>[])
}

/** One page of a list; the first one without a cursor. */
export async function readPage<Name extends RouteName>(
  name: Name,
  args: Args<Name>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Name>> {
  const asked = typeof args.query === 'object' ? args.query : {}
  const query = { ...asked, ...(cursor !== undefined && { cursor }) }
  const { body, headers } = await callWhole(name, { ...args, query, signal })
  return { items: body, next: nextCursor(headers.get('link')) }
}

function nextCursor(link: string | null): string | undefined {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return address === undefined ? undefined : (new URL(address, location.origin).searchParams.get('cursor') ?? undefined)
}
