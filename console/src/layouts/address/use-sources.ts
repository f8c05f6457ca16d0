import { useMemo } from 'react'
import type { Item } from '../../data/api.ts'
import { chainOf } from '../../data/chains.ts'
import { useApiList } from '../../data/lists.ts'

export type Source = Item<'listRuntimeSources'>
/** What an address needs to know of its source. */
export type AddressSource = Pick<Source, 'fullname' | 'kind' | 'explorer'>

export type Sources = {
  isLoading: boolean
  find: (fullname: string | undefined) => Source | undefined
  findOfType: (type: AddressType) => Source | undefined
}

type AddressType = Item<'listAddresses'>['type']

/** The sources that the user can read. Some pages wait for them: addresses are recognised by the kind of their source. */
export function useSources(): Sources {
  const { items, isLoading } = useApiList('listRuntimeSources', {})
  return useMemo(() => {
    const byName = new Map(items.map((source) => [source.fullname, source]))
    return {
      isLoading,
      find: (fullname: string | undefined) => (fullname === undefined ? undefined : byName.get(fullname)),
      findOfType: (type: AddressType) => findOfType(items, type),
    }
  }, [items, isLoading])
}

/** For an address of no particular network: a source of its type, a running one first. */
function findOfType(sources: readonly Source[], type: AddressType): Source | undefined {
  const fitting = sources.filter(({ kind, configured }) => configured && chainOf(kind)?.address.type === type)
  return fitting.find(({ status }) => status === 'running') ?? fitting[0]
}
