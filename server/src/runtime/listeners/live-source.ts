import { createHash } from 'node:crypto'
import type { SourceKind } from '@tocsin/contract'
import type { SourceAddress } from '../../engine/sources/connections.ts'
import type { Network } from '../../engine/sources/networks.ts'
import { addressOf } from '../../engine/sources/resolve-source.ts'
import type { SourceSettings } from '../../store/core/tables.ts'
import type { SourceToFollow } from '../../store/following/custom-sources.ts'
import type { Store } from '../../store/index.ts'

/** A source as the engine follows it. */
export type LiveSource = {
  fullname: string
  kind: SourceKind
  /** The custom source's row; null for a built-in network. */
  id: string | null
  /** Of a custom source; null: everybody may listen to it. */
  workspaceId: string | null
  /** Another one starts its follower anew. */
  revision: number
  settings: SourceSettings
  /** Since when it is to be followed, where it never was. */
  savedAt: Date
  /** Holds secrets: only for whoever connects. */
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

/** Only networks that the operator gave an endpoint can be followed. */
export function liveNetwork({ fullname, kind, endpoints, verify, updatedAt }: Network): LiveSource | undefined {
  if (endpoints.length === 0) return undefined
  const address = () => ({ kind, endpoints, verify })
  const revision = revisionOf(verify === undefined ? endpoints : { endpoints, verify })
  return { fullname, kind, id: null, workspaceId: null, revision, settings: {}, savedAt: updatedAt, address }
}

/** Other endpoints or settings are another revision; it fits into an integer of the store. */
function revisionOf(entry: unknown): number {
  const digest = createHash('sha256').update(JSON.stringify(entry)).digest('hex')
  return Number.parseInt(digest.slice(0, 7), 16)
}
