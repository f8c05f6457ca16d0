/**
 * Makes watches live: a project if the workspace has no private one, then for each watch a trigger and a subscription.
 * `made` records each step as soon as it is done. A call after a failure continues there, saves what was changed since, and
 * creates nothing twice.
 */
import type { Client } from '@tocsin/sdk'
import { createUnderFreeName, nameFrom } from '../../../forms/names.ts'
import { draftUnderFreeName, namedTrigger } from '../../../layouts/new-trigger.ts'
import { accessFields } from '../../../layouts/project/access.ts'
import type { Watch } from './plan.ts'

export type Made = {
  project?: string
  /** The names of triggers and the ids of subscriptions, by the place of their watch. */
  triggers: string[]
  subscriptions: string[]
}
export type Target = { workspace: string; resources: string[] }
type Api = Pick<
  Client,
  | 'listProjects'
  | 'saveProject'
  | 'saveTriggerDraft'
  | 'saveTrigger'
  | 'listSubscriptions'
  | 'createSubscription'
  | 'saveSubscription'
>

export const nothingMade = (): Made => ({ triggers: [], subscriptions: [] })

export async function goLive(api: Api, watches: readonly Watch[], target: Target, made: Made): Promise<void> {
  const project = made.project ?? (await findProject(api, target.workspace))
  made.project = project
  for (const [at, watch] of watches.entries()) {
    const { fullname } = await publish(api, watch, { project, workspace: target.workspace }, made, at)
    made.subscriptions[at] = await subscribe(api, watch, target, { project, fullname })
  }
}

/** The first private project of the workspace, or a new one. */
export async function findProject(
  api: Pick<Client, 'listProjects' | 'saveProject'>,
  workspace: string,
): Promise<string> {
  const projects = await api.listProjects({ query: { workspace } })
  const existing = projects.find(
    ({ accessLevel, visibility }) => accessLevel === 'private' && visibility === 'personal',
  )
  if (existing) return existing.fullname
  const name = await createUnderFreeName('watches', ['precondition_failed'], (name) => {
    const fullname = `${workspace}.${name}`
    const meta = { title: 'Watches', description: '' }
    const body = { name, fullname, workspace, ...accessFields('personal'), meta }
    return api.saveProject({ fullname, body, ifNoneMatch: '*' })
  })
  return `${workspace}.${name}`
}

type Place = { project: string; workspace: string }

async function publish(api: Api, { title, trigger }: Watch, place: Place, made: Made, at: number) {
  const payload = { ...trigger, ...place }
  const name = made.triggers[at] ?? (await draftUnderFreeName(api, nameFrom(title) || 'watch', payload))
  made.triggers[at] = name
  return api.saveTrigger(namedTrigger(name, payload))
}

/** The trigger is new, so a subscription to it is one whose creation succeeded but whose answer was lost. */
async function subscribe(
  api: Api,
  { title, inputs, policy }: Watch,
  { workspace, resources }: Target,
  { project, fullname: trigger }: { project: string; fullname: string },
): Promise<string> {
  const body = { workspace, project, trigger, inputs, policy, resources, meta: { title } }
  const [existing] = await api.listSubscriptions({ query: { workspace, trigger } })
  const { id } = existing
    ? await api.saveSubscription({ id: existing.id, body })
    : await api.createSubscription({ body })
  return id
}
