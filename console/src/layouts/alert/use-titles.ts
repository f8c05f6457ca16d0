import { useMemo } from 'react'
import { useApiList } from '../../data/lists.ts'
import { useDestinations } from '../destination/health.tsx'

/** The names that people gave to things, for rows that know only the full names. */
export type Titles = {
  trigger: (fullname: string) => string
  destination: (fullname: string) => string
}

export function useTitles(workspace: string): Titles {
  const { triggers, destinations } = useNamedThings(workspace)
  return useMemo(
    () => ({
      trigger: (fullname) => triggers.get(fullname)?.meta.title ?? readable(fullname),
      destination: (fullname) => destinations.get(fullname)?.meta.title ?? readable(fullname),
    }),
    [triggers, destinations],
  )
}

/** The things of a workspace that have titles, by their full names. Without a workspace there are none. */
export function useNamedThings(workspace: string | undefined) {
  const options = { enabled: workspace !== undefined }
  const triggers = useApiList('listTriggers', { query: { workspace } }, options).items
  const destinations = useDestinations(workspace).items
  return useMemo(() => ({ triggers: byName(triggers), destinations: byName(destinations) }), [triggers, destinations])
}

function byName<Thing extends { fullname: string }>(things: readonly Thing[]): Map<string, Thing> {
  return new Map(things.map((thing) => [thing.fullname, thing]))
}

/** `acme.pay.large-transfers` → “Large transfers” */
function readable(fullname: string): string {
  const words = (fullname.split('.').at(-1) ?? fullname).replaceAll(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
