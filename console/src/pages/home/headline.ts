import type { Body } from '../../data/api.ts'

export type Summary = Body<'getWorkspaceSummary'>

/** The answer to “Is everything all right?”: what fires and what fails, else that nothing does. */
export function headlineOf({ firingAlerts, failingResources, troubledSources, troubledTriggers }: Summary): string {
  const parts = [
    sentence(firingAlerts.count, 'alert is firing', 'alerts are firing'),
    sentence(failingResources.count, 'destination is failing', 'destinations are failing'),
    sentence(troubledTriggers.count, 'trigger does not work', 'triggers do not work'),
    sentence(troubledSources.count, 'source is in trouble', 'sources are in trouble'),
  ].filter(Boolean)
  return parts.length === 0 ? 'All quiet. Nothing needs you.' : parts.join(' ')
}

function sentence(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${count === 1 ? one : many}.`
}
