import { useApiQuery } from '../../../data/queries.ts'

/** The number of active subscriptions of a published trigger; undefined while it is not known. */
export function useSubscriptionCount(fullname: string | undefined): number | undefined {
  const enabled = fullname !== undefined
  const { data } = useApiQuery(
    'getTriggerLogs',
    { fullname: fullname ?? '', query: { limit: 1 } },
    { pollMs: 15_000, enabled },
  )
  return data?.subscriptions.active
}
