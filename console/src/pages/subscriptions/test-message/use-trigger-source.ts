import { useApiList } from '../../../data/lists.ts'
import { type AddressSource, useSources } from '../../../layouts/address/use-sources.ts'

/** Finds the source of a trigger of the project, if the user can read both. */
export function useTriggerSource(project: string): (trigger: string) => AddressSource | undefined {
  const { items } = useApiList('listTriggers', { query: { project } })
  const sources = useSources()
  return (trigger) => {
    const source = items.find(({ fullname }) => fullname === trigger)?.triggerSpec?.dataSource
    return typeof source === 'string' ? sources.find(source) : undefined
  }
}
