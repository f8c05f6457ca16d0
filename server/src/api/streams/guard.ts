/**
 * Ends open streams whose caller may no longer read them: the session or token ended, the account is gone, or it left the
 * workspace that the stream is for. One guard for a process asks the store every two seconds, with at most three statements
 * for any number of streams.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Identity } from '../../domain/accounts/index.ts'
import type { Store } from '../../store/index.ts'

export type StreamGuard = {
  /** Aborted when the caller may read no longer. It watches until the stream ends by itself. */
  watch(caller: Identity, workspaceId: string | undefined, ended: AbortSignal): AbortSignal
}

type Watched = { caller: Identity; workspaceId: string | undefined; end: AbortController }

const everyMs = 2_000

export function makeStreamGuard(store: Store, clock: () => Date, warn: (error: Error) => void): StreamGuard {
  const watched = new Set<Watched>()
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (watched.size > 0) {
      await pause(everyMs, undefined, { ref: false })
      // Without the store nothing is sent either. The next look finds who left.
      await endThose([...watched]).catch(warn)
    }
    isLooking = false
  }

  async function endThose(streams: Watched[]): Promise<void> {
    const mayRead = await readRights(store, streams, clock())
    for (const stream of streams) if (!mayRead(stream)) stream.end.abort()
  }

  return {
    watch(caller, workspaceId, ended) {
      const stream: Watched = { caller, workspaceId, end: new AbortController() }
      watched.add(stream)
      const leave = () => void watched.delete(stream)
      if (ended.aborted) leave()
      ended.addEventListener('abort', leave, { once: true })
      stream.end.signal.addEventListener('abort', leave, { once: true })
      void look()
      return stream.end.signal
    },
  }
}

async function readRights(store: Store, streams: readonly Watched[], now: Date): Promise<(stream: Watched) => boolean> {
  const tokenIds = streams.flatMap(({ caller }) => caller.tokenId ?? [])
  const accountIds = streams.flatMap(({ caller }) => (caller.tokenId === undefined ? caller.account.id : []))
  const ofWorkspaces = streams.flatMap(({ caller, workspaceId }) => (workspaceId ? caller.account.id : []))
  const tokens = await store.tokens.listValid(unique(tokenIds), now)
  const accounts = await store.accounts.listKept(unique(accountIds))
  const members = ofWorkspaces.length > 0 ? await store.members.listOf(unique(ofWorkspaces)) : []
  const memberships = new Set(members.map((row) => `${row.account_id} ${row.workspace_id}`))
  return ({ caller: { account, tokenId, endsAt }, workspaceId }) => {
    const isSignedIn = tokenId === undefined ? accounts.has(account.id) && !isOver(endsAt, now) : tokens.has(tokenId)
    return isSignedIn && (workspaceId === undefined || memberships.has(`${account.id} ${workspaceId}`))
  }
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

function isOver(endsAt: Date | undefined, now: Date): boolean {
  return endsAt !== undefined && endsAt <= now
}
