import { useQuery } from '@tanstack/react-query'
import { api } from '../../data/api.ts'

const freshMs = 300_000

/** The names of all addresses of a page, in one request. Addresses without a name are absent. */
export function useAddressNames(source: string, addresses: readonly string[]): (address: string) => string | undefined {
  const wanted = [...new Set(addresses)].sort()
  const { data = [] } = useQuery({
    queryKey: ['addresses', 'names', source, wanted],
    queryFn: ({ signal }) => api.findAddressNames({ body: { source, addresses: wanted }, signal }),
    enabled: wanted.length > 0,
    staleTime: freshMs,
    retry: false,
  })
  return (address) => data.find((one) => one.address.toLowerCase() === address.toLowerCase())?.name
}
