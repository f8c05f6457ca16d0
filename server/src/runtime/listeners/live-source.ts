import { createHash } from 'node:crypto'
import type { SourceKind } from '@tocsin/contract'
import type { SourceAddress } from '../../engine/sources/connections.ts'
import type { Network } from '../../engine/sources/networks.ts'
import { addressOf } from '../../engine/sources/resolve-source.ts'
import type { SourceSettings } from '../../store/core/tables.ts'
import type { SourceToFollow } from '../../store/following/custom-sources.ts'
import type { Store } from '../../store/index.ts'

/** A source that can be followed. */
export type LiveSource = {
  fullname: string
  kind: SourceKind
  /** The custom source's row; null for a built-in network. */
  id: string | null
  /** The only workspace that may use the source; null if it is public or built in. */
  workspaceId: string | null
  /** A new revision restarts the follower. */
  revision: number
  settings: SourceSettings
  /** A source without a checkpoint is followed from this time on. */
  savedAt: Date
  /** Contains secrets; only code that connects to the source may call it. */
  address(): SourceAddress
}

export function liveCustomSource(store: Store, row: SourceToFollow): LiveSource {
  return {
    fullname: row.fullname,
    kind: row.kind,
    id: row.id,
    workspaceId: row.public ? null : row.workspace_id,
    revision: row.revision,
    settings: row.settings,
    savedAt: row.updated_at,
    address: () => addressOf({ ...row, endpoints: store.customSources.openEndpoints(row) }),
  }
}

/** Undefined if the operator configured no endpoint for the network. */
export function liveNetwork({ fullname, kind, endpoints, verify, updatedAt }: Network): LiveSource | undefined {
  if (endpoints.length === 0) return undefined
  const address = () => ({ fullname, kind, endpoints, verify })
  const revision = revisionOf(verify === undefined ? endpoints : { endpoints, verify })
  return { fullname, kind, id: null, workspaceId: null, revision, settings: {}, savedAt: updatedAt, address }
}

/** Changed endpoints or settings give another revision. The value fits into a PostgreSQL integer. */
function revisionOf(entry: unknown): number {
  const digest = createHash('sha256').update(JSON.stringify(entry)).digest('hex')
  return Number.parseInt(digest.slice(0, 7), 16)
}
