import { requireMember } from '../access.ts'
import { Events } from '../answers.ts'
import type { Handler } from '../handler.ts'

/** Streams events from now on. The lists hold earlier ones. */
export const streamEvents: Handler<'streamEvents'> = async ({ account, query, store, streams }) => {
  const workspaceId =
    query.workspace === undefined ? undefined : (await requireMember(store, account, query.workspace)).id
  const stream = await streams.open(account.id, workspaceId)
  return new Events((signal) => stream.follow(signal))
}
