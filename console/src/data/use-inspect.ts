import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const freshMs = 300_000

/** What an address is. The key has no noun, so that saving a trigger does not look it up again. */
export function useInspect(source: string, address: string, enabled = true) {
  return useQuery({
    queryKey: ['look-ups', source, address],
    queryFn: ({ signal }) => api.inspectAddress({ body: { source, address }, signal }),
    staleTime: freshMs,
    retry: false,
    enabled,
  })
}
