import { Legend } from '../../charts/legend.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useApiQuery } from '../../data/queries.ts'
import type { Counts, CountsRange } from '../../layouts/counts/counts.ts'
import { CountsBars, countNames } from '../../layouts/counts/counts-bars.tsx'
import classes from './feed.module.css'
import type { AlertFilters } from './filters.ts'

const pollMs = 30_000

/**
 * How many alerts there were: of the workspace, or of the trigger or subscription that the filters name. Other filters
 * do not change it, because the service counts no smaller parts. Its shortest range is 24 hours.
 */
export function FeedHistogram({ workspace, filters }: { workspace: string; filters: AlertFilters }) {
  const { data, error, refetch } = useCounts(workspace, filters)
  if (!data) return <ErrorNotice error={error} title="The alerts could not be counted." retry={() => void refetch()} />
  if (data.total.recorded === 0) return null
  return (
    <div className={classes.histogram}>
      <CountsBars counts={data} height={96} />
      {data.total.failedAttempts > 0 && <Legend names={[countNames.good, countNames.failed]} hasFailures />}
    </div>
  )
}

function useCounts(
  workspace: string,
  { trigger = '', subscription = '', range }: AlertFilters,
): { data: Counts | undefined; error: Error | null; refetch: () => unknown } {
  const query = { range: rangeOf(range) }
  const isOfTrigger = trigger !== '' && subscription === ''
  const isWhole = trigger === '' && subscription === ''
  const ofWorkspace = useApiQuery('getWorkspaceCounts', { fullname: workspace, query }, { pollMs, enabled: isWhole })
  const ofTrigger = useApiQuery('getTriggerCounts', { fullname: trigger, query }, { pollMs, enabled: isOfTrigger })
  const ofSubscription = useApiQuery(
    'getSubscriptionCounts',
    { id: subscription, query },
    { pollMs, enabled: subscription !== '' },
  )
  return isWhole ? ofWorkspace : isOfTrigger ? ofTrigger : ofSubscription
}

function rangeOf(range: AlertFilters['range']): CountsRange {
  return range === '7d' || range === '30d' ? range : '24h'
}
