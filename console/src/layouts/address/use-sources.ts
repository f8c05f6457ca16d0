import { useMemo, useState } from 'react'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { formOfKind } from './address-form.ts'

/** What an address needs to know of its source. */
export type AddressSource = Pick<Item<'listRuntimeSources'>, 'fullname' | 'kind' | 'explorer'>

export type Sources = {
  isLoading: boolean
  find: (fullname: string | undefined) => AddressSource | undefined
  findOfType: (type: AddressType) => AddressSource | undefined
}

type AddressType = Item<'listAddresses'>['type']

/**
 * The sources that the user can read. A page waits for them, because addresses are recognised by the kind of their source.
 * It waits only for the first answer: after a failure the parts of the page ask again when they are mounted, and a page that
 * hides them while they ask would mount them again and again.
 */
export function useSources(): Sources {
  const list = useApiList('listRuntimeSources')
  const { items } = list
  const [isLoading, setLoading] = useState(list.isLoading)
  if (isLoading && !list.isLoading) setLoading(false)
  return useMemo(
    () => ({
      isLoading,
      find: (fullname: string | undefined) => items.find((one) => one.fullname === fullname),
      findOfType: (type: AddressType) => findOfType(items, type),
    }),
    [items, isLoading],
  )
}

/** For an address of no particular network: a source of its type, a running one first. */
function findOfType(sources: readonly Item<'listRuntimeSources'>[], type: AddressType): AddressSource | undefined {
  const fitting = sources.filter(({ kind, configured }) => configured && formOfKind[kind] === type)
  return fitting.find(({ status }) => status === 'running') ?? fitting[0]
}
