import type { ReactNode } from 'react'
import { countWords, percentWords } from '../../components/numbers/count-words.ts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiList } from '../../data/lists.ts'
import type { Resource } from './blueprints.ts'

const pollMs = 15_000
const queueMax = 1_000

/** The workspace's destinations, polled because their health changes with every delivery. */
export function useDestinations(workspace: string | undefined) {
  return useApiList('listResources', { query: { workspace } }, { enabled: workspace !== undefined, pollMs })
}

/** True if deliveries fail now, or failed until the service disabled the destination. */
export function isFailing({ health }: Pick<Resource, 'health'>): boolean {
  return health?.failingSince !== undefined
}

type Healthy = Pick<Resource, 'ready' | 'health'>

export function healthText({ ready, health }: Healthy): string {
  if (!ready) return health?.failingSince === undefined ? 'Not ready' : 'Disabled'
  if (health?.state === 'failing') return 'Failing'
  return health?.state === 'working' ? 'Working' : 'Ready'
}

export function HealthStatus({ resource }: { resource: Healthy }) {
  const tone = isFailing(resource) || !resource.ready ? 'warn' : 'good'
  return <Status value={resource.health?.state ?? 'unused'} tone={tone} label={healthText(resource)} />
}

/** Details of the health, as far as they are known. */
export function healthFacts({ health }: Healthy): [string, ReactNode][] {
  return [
    ...fact('First failure', health?.failingSince && <RelativeTime at={health.failingSince} />),
    ...fact('Last error', health?.lastError),
    ...fact('Last success', health?.lastSuccessAt && <RelativeTime at={health.lastSuccessAt} />),
    ...fact('Last answer', health?.lastAttempt && <LastAnswer attempt={health.lastAttempt} />),
    ...fact('Success rate (24 h)', successRate({ health })),
    ...fact('Queue', queueText({ health })),
    ...fact('Next attempt', health?.nextAttemptAt && <RelativeTime at={health.nextAttemptAt} />),
  ]
}

/** The share of attempts of the last 24 hours that succeeded. Undefined if there were none. */
export function successRate({ health }: Pick<Resource, 'health'>): string | undefined {
  const rate = health?.last24h?.successRate
  return rate === undefined ? undefined : percentWords(rate)
}

/** How many deliveries wait. The service counts up to 1,000. */
export function queueText({ health }: Pick<Resource, 'health'>): string | undefined {
  const queue = health?.queue ?? 0
  if (queue === 0) return undefined
  return queue >= queueMax ? '1,000 or more deliveries' : countWords(queue, 'delivery', 'deliveries')
}

function LastAnswer({ attempt }: { attempt: NonNullable<NonNullable<Resource['health']>['lastAttempt']> }) {
  const { at, status, ok, durationMs } = attempt
  const answer = status === undefined ? (ok ? 'Accepted' : 'No answer') : `Status ${status}`
  return (
    <>
      {answer}, {durationMs} ms, <RelativeTime at={at} />
    </>
  )
}

function fact(name: string, value: ReactNode): [string, ReactNode][] {
  return value ? [[name, value]] : []
}
