/** Search: entities of several nouns by name or title. */
import type { SearchResult } from '@tocsin/contract'
import type * as z from 'zod'
import type { Found } from '../../store/identity/search.ts'
import { requireMember } from '../access.ts'
import type { Context, Handler } from '../handler.ts'
import type { Network } from '../settings.ts'

type Result = z.output<typeof SearchResult>

/** Searches what the account's workspaces hold, its address book, the built-in networks, and alerts by their whole id. */
export const search: Handler<'search'> = async (context) => {
  const { account, query, store, settings } = context
  const { q: text, workspace, limit } = query
  const workspaceId = workspace === undefined ? undefined : (await requireMember(store, account, workspace)).id
  const found = await store.search.find({ accountId: account.id, text, workspaceId, limit })
  const networks = settings.networks.filter((network) => hasText(network, text)).slice(0, limit)
  return { results: [...(await findAlert(context)), ...found.map(resultOf), ...networks.map(networkResult)] }
}

async function findAlert({ account, query: { q: id, workspace }, store }: Context<'search'>): Promise<Result[]> {
  const alert = id.startsWith('al_') ? await store.alerts.find(id, account.id) : undefined
  if (!alert || (workspace !== undefined && alert.workspace !== workspace)) return []
  return [{ kind: 'alert', name: alert.id, title: alert.message.title, workspace: alert.workspace }]
}

function resultOf({ kind, name, title, workspace }: Found): Result {
  return { kind, name, ...(title !== null && { title }), ...(workspace !== null && { workspace }) }
}

function hasText({ fullname, title }: Network, text: string): boolean {
  return [fullname, title].some((each) => each.toLowerCase().includes(text.toLowerCase()))
}

function networkResult({ fullname, title }: Network): Result {
  return { kind: 'source', name: fullname, title }
}
