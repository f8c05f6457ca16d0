import type { ReactNode } from 'react'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiList } from '../../data/lists.ts'
import type { Resource } from './blueprints.ts'

const everyMs = 15_000

/** The workspace's destinations, read again while the page is open: their health changes without anybody's doing. */
export function useDestinations(workspace: string | undefined) {
  return useApiList('listResources', { query: { workspace } }, { enabled: workspace !== undefined, everyMs })
}

/** Deliveries fail now, or they failed until the service switched the destination off. */
export function isFailing({ health }: Pick<Resource, 'health'>): boolean {
  return health?.failingSince !== undefined
}

type Healthy = Pick<Resource, 'ready' | 'health'>

export function healthText({ ready, health }: Healthy): string {
  if (!ready) return health?.failingSince === undefined ? 'Not ready' : 'Switched off'
  if (health?.state === 'failing') return 'Failing'
  return health?.state === 'working' ? 'Working' : 'Ready'
}

export function HealthStatus({ resource }: { resource: Healthy }) {
  const tone = isFailing(resource) ? 'bad' : resource.ready ? 'good' : 'warn'
  return <Status value={resource.health?.state ?? 'unused'} tone={tone} label={healthText(resource)} />
}

/** The facts behind the state, where there are some. */
export function healthFacts({ health }: Healthy): [string, ReactNode][] {
  return [
    ...fact('Failing since', health?.failingSince && <RelativeTime at={health.failingSince} />),
    ...fact('Last error', health?.lastError),
    ...fact('Last success', health?.lastSuccessAt && <RelativeTime at={health.lastSuccessAt} />),
  ]
}

function fact(name: string, value: ReactNode): [string, ReactNode][] {
  return value ? [[name, value]] : []
}
