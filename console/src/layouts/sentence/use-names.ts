import { useMemo } from 'react'
import type { Names } from '../../sentences/parts.ts'
import { useSources } from '../address/use-sources.ts'
import { useNamedThings } from '../alert/use-titles.ts'

/** The names that a sentence shows instead of full names. Without a workspace only those of networks are known. */
export function useNames(workspace: string | undefined): Names {
  const { triggers, destinations } = useNamedThings(workspace)
  const { find } = useSources()
  return useMemo(
    () => ({
      source: (fullname) => {
        const source = find(fullname)
        return source && { title: source.title, currency: source.nativeCurrency?.symbol }
      },
      trigger: (fullname) => triggers.get(fullname)?.meta.title,
      destination: (fullname) => {
        const destination = destinations.get(fullname)
        return destination?.meta.title ?? destination?.name
      },
    }),
    [triggers, find, destinations],
  )
}
