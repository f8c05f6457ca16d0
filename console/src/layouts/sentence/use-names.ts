import { useMemo } from 'react'
import type { Names } from '../../sentences/parts.ts'
import { useNamedThings } from '../alert/use-titles.ts'

/** The names that a sentence shows instead of full names. Without a workspace only those of networks are known. */
export function useNames(workspace: string | undefined): Names {
  const { triggers, sources, destinations } = useNamedThings(workspace)
  return useMemo(
    () => ({
      source: (fullname) => {
        const source = sources.get(fullname)
        return source && { title: source.title, currency: source.nativeCurrency?.symbol }
      },
      trigger: (fullname) => triggers.get(fullname)?.meta.title,
      destination: (fullname) => {
        const destination = destinations.get(fullname)
        return destination?.meta.title ?? destination?.name
      },
    }),
    [triggers, sources, destinations],
  )
}
