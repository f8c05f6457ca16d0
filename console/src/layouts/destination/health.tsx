import type { ReactNode } from 'react'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiList } from '../../data/lists.ts'
import type { Resource } from './blueprints.ts'

const pollMs = 15_000

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
  ]
}

function fact(name: string, value: ReactNode): [string, ReactNode][] {
  return value ? [[name, value]] : []
}
