import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { atLeast, useCurrentWorkspace } from '../../data/workspace.ts'

export type Workspace = Item<'listWorkspaces'>
export type Trigger = Item<'listTriggers'>
export type Subscription = Item<'listSubscriptions'>

/** The progress, derived from the entities that exist, so that the user can leave the page and return at any time. */
export function useProgress() {
  const { current, all, isLoading } = useCurrentWorkspace()
  const workspace = [current, ...all].find((one) => atLeast(one?.level, 'admin'))
  const name = workspace?.fullname
  const enabled = name !== undefined
  const projects = useApiList('listProjects', { query: { workspace: name } }, { enabled })
  const triggers = useApiList('listTriggers', { query: { workspace: name } }, { enabled })
  const subscriptions = useApiList('listSubscriptions', { query: { workspace: name } }, { enabled })
  const timers = triggers.items.filter(isTimer)
  const subscription = subscriptions.items.find(
    ({ trigger, account }) => account === undefined && timers.some(({ fullname }) => fullname === trigger),
  )
  const timer = timers.find(({ fullname }) => fullname === subscription?.trigger) ?? timers[0]
  const project = projects.items.find(({ fullname }) => fullname === timer?.project) ?? projects.items[0]
  return {
    ...{ workspace, project, timer, subscription },
    isLoading: isLoading || projects.isLoading || triggers.isLoading || subscriptions.isLoading,
    error: projects.error ?? triggers.error ?? subscriptions.error,
  }
}
export type Progress = ReturnType<typeof useProgress>

function isTimer({ triggerSpec }: Trigger): boolean {
  return triggerSpec?.type === 'timer'
}

export function intervalOf(trigger: Trigger | undefined): string {
  const interval = trigger?.triggerSpec?.interval
  return typeof interval === 'string' ? interval : '10s'
}
