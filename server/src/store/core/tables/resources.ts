import type { SessionStatus } from '@tocsin/contract'
import type { ColumnType } from 'kysely'
import type { Entity, Json, Sealed, Stamps, Tagging } from './columns.ts'

export type DestinationSummary = { service: string; title: string; kind?: string; topic?: string }
export type ResourcesTable = Entity &
  Tagging & {
    id: string
    workspace_id: string
    project_id: string | null
    name: string
    fullname: string
    blueprint: string
    ready: boolean
    remark: string | null
    data: Sealed | null
    private: Sealed | null
    /** Finds the resources of one chat without revealing the chat's id. */
    destination_key: string | null
    /** The time at which the receiver of an e-mail resource confirmed the address in `data`. */
    confirmed_at: Date | null
    summary: ColumnType<DestinationSummary | null, string | null, string | null>
    token: Sealed | null
    token_hash: Buffer | null
    meta: Json<{ title?: string }>
    /** The resource that is told when deliveries to this one fail. It counts only in the same workspace. */
    notify_resource_id: string | null
  }
export type SetupSessionsTable = Stamps & {
  id: string
  resource_id: string
  status: SessionStatus
  token_hash: Buffer
  messenger_user: string | null
  expires_at: Date
}
