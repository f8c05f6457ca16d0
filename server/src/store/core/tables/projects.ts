import type { AddonState, DefinitionKind, TemplateGroup, TemplateRule, TemplateTopic } from '@tocsin/contract'
import type { Generated } from 'kysely'
import type * as z from 'zod'
import type { Entity, Json, Sealed, Stamps, Tagging } from './columns.ts'

export type ProjectMeta = {
  title: string
  description: string
  shortDescription?: string
  links?: { title: string; url: string }[]
  icon?: string
  avatar?: string
  cover?: string
}
export type ProjectsTable = Entity &
  Tagging & {
    id: string
    workspace_id: string
    name: string
    fullname: string
    access_level: 'private' | 'public' | 'free'
    visibility: 'public' | 'private_link' | 'personal'
    meta: Json<ProjectMeta>
  }
export type AccessLinksTable = Stamps & {
  id: string
  project_id: string
  hash: Buffer
  token: Sealed
  max_usages: number | null
  usages: Generated<number>
  expires_at: Date | null
  revoked_at: Date | null
}
export type AccessLinkOpeningsTable = { link_id: string; account_id: string; created_at: Date }
export type ImagesTable = {
  id: string
  project_id: string | null
  workspace_id: string | null
  file_name: string
  content_type: string
  bytes: Buffer
  created_at: Date
}
export type AddonsTable = Entity & { id: string; project_id: string; name: string; state: z.output<typeof AddonState> }
export type ProjectSecretsTable = Entity & { id: string; project_id: string; name: string; value: Sealed }
export type AliasKind = 'project' | 'trigger' | 'resource'
export type AliasesTable = { kind: AliasKind; fullname: string; target_id: string; created_at: Date }
export type TransferCounts = {
  triggers: number
  templates: number
  resources: number
  subscriptions: number
  accessLinks: number
  aliases: number
  conflicts: number
}
export type TransfersTable = Stamps & {
  id: string
  project_id: string | null
  project: string
  source_workspace_id: string | null
  source_workspace: string
  target_workspace_id: string | null
  target_workspace: string
  target_name: string
  target_fullname: string
  status: 'pending' | 'accepted' | 'rejected' | 'cancelled' | 'expired' | 'failed'
  plan_hash: string
  counts: Json<TransferCounts>
  requested_by: string
  decided_by: string | null
  decided_at: Date | null
  applied_at: Date | null
  reason: string | null
  failure_reason: string | null
  expires_at: Date
}
export type TemplatesTable = Entity & {
  id: string
  seq: Generated<string>
  project_id: string
  schema: Json<Record<string, unknown>>
  groups: Json<z.output<typeof TemplateGroup>[]>
  topics: Json<z.output<typeof TemplateTopic>[]>
  rules: Json<z.output<typeof TemplateRule>[]>
  meta: Json<{ title: string; description: string }>
  stack: string | null
  key: string | null
}
export type StackEntitiesTable = {
  workspace_id: string
  stack: string
  kind: DefinitionKind
  name: string
  payload: Sealed
  applied_at: Date
}
