import { skipToken, useQuery } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { useCurrentWorkspace } from '../../data/workspace.ts'
import { makeNameBatches } from './name-batches.ts'

const freshMs = 300_000
/** The full names of a source and of a workspace have no space. */
const findName = makeNameBatches((place, addresses) => {
  const [source = '', workspace] = place.split(' ')
  return api.findAddressNames({ body: { source, addresses, ...(workspace && { workspace }) } })
})

/**
 * The name of an address on a source: from the account's address book, that of the current workspace, a known contract or ENS.
 * Undefined while it is read.
 */
export function useAddressName(source: string | undefined, address: string): string | undefined {
  const { current } = useCurrentWorkspace()
  const workspace = current?.fullname ?? ''
  const { data } = useQuery({
    queryKey: ['addresses', 'name', source, workspace, address],
    queryFn: source === undefined ? skipToken : () => findName(`${source} ${workspace}`, address),
    staleTime: freshMs,
    retry: false,
  })
  return data ?? undefined
}
