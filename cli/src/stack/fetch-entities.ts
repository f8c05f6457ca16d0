import { stackLabel } from '@tocsin/contract'
import type { Client } from '@tocsin/sdk'
import type { Entity } from '../folder/kinds.ts'
import type { Session } from '../server/session.ts'
import { canonicalPayload } from './canonical.ts'

type View = Record<string, unknown> & { labels?: Record<string, string> }

/** The entities of the stack as the server has them, each as the payload of its PUT in canonical form. */
export async function fetchEntities(session: Session, workspace: string, stack: string): Promise<Entity[]> {
  const isOfStack = ({ labels }: View) => labels?.[stackLabel] === stack
  return session.call(async (client) => {
    const projects = await all(client.each.listProjects({ query: { workspace } }))
    const templates = await templatesOf(client, projects, isOfStack)
    const keys = new Map(templates.map(({ id, key }) => [id, key]))
    const query = { workspace }
    const sources = (await all(client.each.listCustomSources({ query }))).filter(isOfStack)
    const triggers = (await all(client.each.listTriggers({ query }))).filter(isOfStack)
    const subscriptions = (await all(client.each.listSubscriptions({ query }))).filter(isOfStack)
    const lists = (await all(client.each.listAddressLists({ query }))).filter(isOfStack)
    const resources = (await all(client.each.listResources({ query }))).filter(isOfStack)
    return [
      ...(await inTurn(sources, ({ fullname }) => client.getCustomSource({ fullname }))).map(entityOf('source')),
      ...(await inTurn(lists, ({ fullname }) => client.getAddressList({ fullname }))).map(entityOf('address-list')),
      ...projects.filter(isOfStack).map(entityOf('project')),
      ...(await inTurn(resources, ({ fullname }) => client.getResource({ fullname }))).map(entityOf('resource')),
      ...templates.map(entityOf('template')),
      ...(await inTurn(triggers, ({ fullname }) => client.getTrigger({ fullname }))).map(entityOf('trigger')),
      // In a stack, a subscription names the template by its key.
      ...subscriptions
        .map((view) => ({ ...view, template: keys.get(view.template ?? '') ?? view.template }))
        .map(entityOf('subscription')),
    ]
  })
}

async function templatesOf(
  client: Client,
  projects: readonly { fullname: string }[],
  isOfStack: (view: View) => boolean,
) {
  const lists = await inTurn(projects, ({ fullname }) => all(client.each.listTemplates({ fullname })))
  return lists.flat().filter(isOfStack)
}

function entityOf(kind: Entity['kind']) {
  return (view: Record<string, unknown>): Entity => ({ kind, payload: canonicalPayload(kind, view) })
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** One request after the other, so that a large stack does not reach the rate limit of the server. */
async function inTurn<Item, Result>(items: readonly Item[], each: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await each(item))
  return results
}
