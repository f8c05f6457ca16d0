import { skipToken, useQuery } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { makeNameBatches } from './name-batches.ts'

const freshMs = 300_000
const findName = makeNameBatches((source, addresses) => api.findAddressNames({ body: { source, addresses } }))

/** The name of an address on a source: from the address book, a known contract or ENS. Undefined while it is read. */
export function useAddressName(source: string | undefined, address: string): string | undefined {
  const { data } = useQuery({
    queryKey: ['addresses', 'name', source, address],
    queryFn: source === undefined ? skipToken : () => findName(source, address),
    staleTime: freshMs,
    retry: false,
  })
  return data ?? undefined
}
