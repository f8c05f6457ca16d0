import { useMemo } from 'react'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'

export type Network = Item<'listRuntimeSources'>

/** Finds a source by its full name, with the title and icon of its network. */
export function useNetworks(): (fullname: string | undefined) => Network | undefined {
  const { items } = useApiList('listRuntimeSources')
  return useMemo(() => {
    const byName = new Map(items.map((source) => [source.fullname, source]))
    return (fullname) => (fullname === undefined ? undefined : byName.get(fullname))
  }, [items])
}
