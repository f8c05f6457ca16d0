import type {
  AddonState,
  AddressType,
  AlertStatus,
  Condition,
  DeliveryMode,
  DeliveryStatus,
  Level,
  Message,
  Overrides,
  Policy,
  SessionStatus,
  SourceKind,
  TemplateGroup,
  TemplateRule,
  TemplateTopic,
  TriggerStatus,
} from '@tocsin/contract'
import type { ColumnType, Generated } from 'kysely'
import type * as z from 'zod'

/** What each table holds, as Kysely reads it. Names follow the migrations. */

/** Read as a value, written as JSON text: `pg` would turn an array into a PostgreSQL array. */
export type Json<T> = ColumnType<T, string, string>
/** Sealed by the secret box; the type keeps it from being mistaken for something to show. */
export type Sealed = Buffer

type Stamps = { created_at: Date; updated_at: Date }
type Entity = Stamps & { version: Generated<number> }
type Tagging = { tags: Json<string[]>; labels: Json<Record<string, string>> }

export type AccountsTable = Stamps & {
  id: string
  email: string
  email_key: string
  name: string
  password_hash: string | null
}
export type TokensTable = {
  id: string
  account_id: string
  kind: 'session' | 'personal'
  name: string
  hash: Buffer
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}
export type IdempotencyKeysTable = {
  account_id: string
  scope: string
  key: string
  status: number | null
  reply: Sealed | null
  created_at: Date
}
export type AddressesTable = Entity & {
  id: string
  account_id: string
  type: z.output<typeof AddressType>
  address: string
  normal: string
  alias: string
}
export type WorkspacesTable = Entity &
  Tagging & {
    id: string
    fullname: string
    meta: Json<{ title?: string; avatar?: string }>
    invite: Sealed
    invite_hash: Buffer
  }
export type MembersTable = Stamps & { id: string; workspace_id: string; account_id: string; level: Level }
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
}
/** What a trigger does. Names, meta, tags and status have columns of their own; providers are sealed. */
export type TriggerDefinition = {
  backend: Record<string, unknown>
  inputs: Record<string, unknown>
  defaults?: Record<string, unknown>
  triggerSpec: Record<string, unknown> | null
  filtersSchema?: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  transform: Record<string, unknown> | null
  activation: Record<string, unknown> | null
  executionPolicy: Record<string, unknown> | null
}
export type TriggersTable = Entity &
  Tagging & {
    id: string
    project_id: string
    name: string
    fullname: string
    definition: Json<TriggerDefinition>
    providers: Sealed
    data_source: string | null
    status: Json<TriggerStatus>
    status_before: ColumnType<TriggerStatus | null, string | null | undefined, string | null>
    meta: Json<{ title: string; description?: string }>
  }
export type TriggerDraftsTable = {
  id: string
  version: Generated<number>
  fullname: string
  project_id: string
  definition: Sealed
  saved_by: string
  saved_at: Date
}
export type TriggerLogsTable = {
  id: Generated<string>
  trigger_id: string
  kind: 'delivery_failure' | 'source_pressure' | 'delivery'
  status: 'delivered' | 'failed' | 'rate_limited' | 'blocked' | 'limited'
  reason_code: string | null
  message: string | null
  count: number
  first_seen_at: Date
  last_seen_at: Date
  channel: string | null
  resource: string | null
  source: string | null
  sample: ColumnType<Record<string, unknown> | null, string | null, string | null>
}
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
    /** Finds the resources of one chat without telling which chat it is. */
    destination_key: string | null
    summary: ColumnType<DestinationSummary | null, string | null, string | null>
    token: Sealed | null
    token_hash: Buffer | null
    meta: Json<{ title?: string }>
  }
export type SetupSessionsTable = Stamps & {
  id: string
  resource_id: string
  status: SessionStatus
  token_hash: Buffer
  messenger_user: string | null
  expires_at: Date
}
export type SourceState = 'pending' | 'running' | 'lagging' | 'error' | 'stopped'
export type SourceStatus = {
  status: SourceState
  previousStatus?: SourceState
  message?: string
  code?: string
  updatedAt: string
}
export type SourceRuntime = {
  chainId?: string
  genesisHash?: string
  ss58Prefix?: number
  latestBlock?: number
  processedBlock?: number
  lag?: number
  headAt?: string
}
export type SourceSettings = {
  batchMaxCount?: number
  blockProcessingConcurrency?: number
  maxQueuedBlocks?: number
  confirmations?: number
}
export type CustomSourcesTable = Entity & {
  id: string
  workspace_id: string
  name: string
  fullname: string
  public: boolean
  kind: SourceKind
  endpoints: Sealed
  settings: Json<SourceSettings>
  substrate: ColumnType<{ extensions?: Record<string, unknown> } | null, string | null, string | null>
  meta: Json<{ title: string; description?: string; icons?: { default?: string } }>
  status: Json<SourceStatus>
  runtime: ColumnType<SourceRuntime | null, string | null, string | null>
  revision: number
}
export type SourceLogsTable = {
  id: Generated<string>
  source_id: string
  at: Date
  level: 'info' | 'warn' | 'error'
  message: string
  details: ColumnType<Record<string, unknown> | null, string | null, string | null>
}
export type SettingsTable = { key: string; value: string }

/** Read as a value or null, written as JSON text or null. */
type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>

export type SubscriptionsTable = Entity & {
  id: string
  seq: Generated<string>
  account_id: string
  workspace_id: string
  project_id: string
  template_id: string | null
  topics: JsonOrNull<string[]>
  vals: JsonOrNull<Record<string, unknown>>
  trigger_id: string | null
  inputs: JsonOrNull<Record<string, unknown>>
  conditions: JsonOrNull<Condition>
  policy: JsonOrNull<NonNullable<Policy>>
  delivery: JsonOrNull<z.output<typeof DeliveryMode>>
  overrides: JsonOrNull<Overrides>
  meta: Json<{ title?: string }>
  paused: Generated<boolean>
}
export type SubscriptionResourcesTable = { subscription_id: string; resource_id: string; position: number }

/** bigint columns come as strings; the store's functions answer them as numbers. */
export type FollowersTable = {
  source: string
  owner: string | null
  lease_until: Date | null
  epoch: Generated<string>
  revision: Generated<number>
  number: string | null
  hash: string | null
  head: string | null
  head_at: Date | null
  finalized: string | null
  state: JsonOrNull<FollowerState>
  updated_at: Date
}
/** What a follower tells of itself. A custom source's status and runtime stand in its own row. */
export type FollowerState = {
  /** Which network it was: the chain id or the hash of the first block. */
  network?: string
  status?: SourceStatus
  runtime?: SourceRuntime
}
export type SourceBlocksTable = {
  source: string
  hash: string
  number: string
  parent_hash: string
  incarnation: Generated<number>
  undone_at: Date | null
}
export type TimersTable = { trigger_id: string; ticked_at: Date }

export type AlertsTable = Stamps & {
  id: string
  seq: Generated<string>
  kind: Generated<'match' | 'digest'>
  subscription_id: string | null
  rule_id: string | null
  account_id: string
  workspace_id: string
  project_id: string | null
  trigger_id: string | null
  project: string
  trigger: string
  status: AlertStatus
  reason: string | null
  source: string | null
  block_number: string | null
  block_hash: string | null
  incarnation: number | null
  policy_key: string | null
  delivery_key: string | null
  digest_id: string | null
  item_at: Date
  message: Json<Message>
  trace: Json<AlertTraceData>
}
/** What made an alert, kept for whoever asks why he was told. */
export type AlertTraceData = {
  item: unknown
  inputs: Record<string, unknown>
  providers: Record<string, unknown>
  activated: boolean
  /** Left out where it is the item itself. */
  raw?: unknown
  /** Left out where it is `raw`. */
  human?: unknown
  digest?: string[]
}
export type DeliveryAttempt = { at: string; ok: boolean; durationMs: number; status?: number; error?: string }
export type DeliveriesTable = Stamps & {
  id: string
  seq: Generated<string>
  alert_id: string
  kind: Generated<'alert' | 'retraction'>
  resource_id: string | null
  resource: string
  blueprint: string
  status: DeliveryStatus
  attempts: ColumnType<DeliveryAttempt[], string | undefined, string>
  attempts_count: Generated<number>
  due_at: Date
  /** What the channel answered, such as the id of the message, by which it can be corrected. */
  sent: JsonOrNull<Record<string, unknown>>
  /** It was tried, and nobody can say that it did not arrive: whoever takes it back has to say so. */
  may_have_arrived: Generated<boolean>
}
export type LanesTable = {
  resource_id: string
  owner: string | null
  lease_until: Date | null
  failing_since: Date | null
  not_before: Date | null
}
/** What a turn of a lane may be sending and has not settled. */
export type TakenDeliveriesTable = { owner: string; resource_id: string; ids: Json<string[]> }
export type StateWindowsTable = {
  trigger_id: string
  provider: string
  scope: string
  state: Json<{ shape: string; entries: Record<string, unknown>[] }>
  source: string | null
  block_number: string | null
  updated_at: Date
}
export type PolicyStatesTable = {
  subscription_id: string
  rule_id: string
  key: string
  state: Json<Record<string, unknown>>
  due_at: Date | null
  updated_at: Date
}
export type ChangeKind = 'trigger' | 'subscription' | 'template' | 'source' | 'project' | 'account'
export type ChangesTable = {
  id: Generated<string>
  xid: Generated<string>
  kind: ChangeKind
  entity_id: string
  at: Generated<Date>
}
/** A change of a trigger's status that nobody has been told of yet. */
export type TriggerEventsTable = {
  id: Generated<string>
  trigger_id: string
  before: ColumnType<TriggerStatus, never, never>
  after: ColumnType<TriggerStatus, never, never>
  at: Generated<Date>
}

export type Tables = {
  settings: SettingsTable
  accounts: AccountsTable
  tokens: TokensTable
  idempotency_keys: IdempotencyKeysTable
  addresses: AddressesTable
  workspaces: WorkspacesTable
  members: MembersTable
  projects: ProjectsTable
  access_links: AccessLinksTable
  access_link_openings: AccessLinkOpeningsTable
  images: ImagesTable
  addons: AddonsTable
  aliases: AliasesTable
  transfers: TransfersTable
  templates: TemplatesTable
  triggers: TriggersTable
  trigger_drafts: TriggerDraftsTable
  trigger_logs: TriggerLogsTable
  resources: ResourcesTable
  setup_sessions: SetupSessionsTable
  custom_sources: CustomSourcesTable
  source_logs: SourceLogsTable
  subscriptions: SubscriptionsTable
  subscription_resources: SubscriptionResourcesTable
  followers: FollowersTable
  source_blocks: SourceBlocksTable
  timers: TimersTable
  alerts: AlertsTable
  deliveries: DeliveriesTable
  lanes: LanesTable
  taken_deliveries: TakenDeliveriesTable
  state_windows: StateWindowsTable
  policy_states: PolicyStatesTable
  changes: ChangesTable
  trigger_events: TriggerEventsTable
}
