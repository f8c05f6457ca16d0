import { Sparkline } from '../../charts/sparkline.tsx'
import { useApiQuery } from '../../data/queries.ts'
import type { Source } from '../address/use-sources.ts'

const pollMs = 60_000

/** The age of the latest block over the last hour. It stands beside the status, which says the same in words. */
export function SourceSpark({ source: { fullname, status } }: { source: Pick<Source, 'fullname' | 'status'> }) {
  const { data } = useApiQuery(
    'getSourceHistory',
    { fullname, query: { range: '1h' } },
    { pollMs, enabled: status !== 'stopped' },
  )
  const ages = data?.samples.flatMap(({ headAgeMs }) => headAgeMs ?? []) ?? []
  return <Sparkline values={ages} isFiring={status === 'lagging' || status === 'error'} />
}
