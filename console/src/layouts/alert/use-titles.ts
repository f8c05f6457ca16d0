import { useMemo } from 'react'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { useDestinations } from '../destination/health.tsx'

/** The names that people gave to things, for rows that know only the full names. */
export type Titles = {
  trigger: (fullname: string) => string
  source: (fullname: string) => Item<'listRuntimeSources'> | undefined
  destination: (fullname: string) => string
}

export function useTitles(workspace: string): Titles {
  const triggers = useApiList('listTriggers', { query: { workspace } }).items
  const sources = useApiList('listRuntimeSources').items
  const destinations = useDestinations(workspace).items
  return useMemo(() => {
    const titleOfTrigger = new Map(triggers.map(({ fullname, meta }) => [fullname, meta.title]))
    const sourceOf = new Map(sources.map((source) => [source.fullname, source]))
    const titleOfDestination = new Map(destinations.map(({ fullname, meta }) => [fullname, meta.title]))
    return {
      trigger: (fullname) => titleOfTrigger.get(fullname) ?? readable(fullname),
      source: (fullname) => sourceOf.get(fullname),
      destination: (fullname) => titleOfDestination.get(fullname) ?? readable(fullname),
    }
  }, [triggers, sources, destinations])
}

/** `acme.pay.large-transfers` → “Large transfers” */
function readable(fullname: string): string {
  const words = (fullname.split('.').at(-1) ?? fullname).replaceAll(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
