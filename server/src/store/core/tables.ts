/** The columns of each table, as Kysely reads them, one file for each group of tables. Names follow the migrations. */
import type {
  AlertsTable,
  CountChangesTable,
  DeliveriesTable,
  HourlyCountsTable,
  HourlyRunsTable,
  LanesTable,
  PolicyStatesTable,
  PolicyValuesTable,
  StateWindowsTable,
  TakenDeliveriesTable,
} from './tables/alerts.ts'
import type {
  AccountsTable,
  AddressesTable,
  AddressListsTable,
  AuditEntriesTable,
  IdempotencyKeysTable,
  IdentitiesTable,
  InvitationsTable,
  MembersTable,
  TokensTable,
  WorkspacesTable,
} from './tables/people.ts'
import type {
  AccessLinkOpeningsTable,
  AccessLinksTable,
  AddonsTable,
  AliasesTable,
  ImagesTable,
  ProjectSecretsTable,
  ProjectsTable,
  StackEntitiesTable,
  TemplatesTable,
  TransfersTable,
} from './tables/projects.ts'
import type { ResourcesTable, SetupSessionsTable } from './tables/resources.ts'
import type {
  AccountPlacesTable,
  ChallengesTable,
  PasskeysTable,
  PasswordResetsTable,
  RecoveryCodesTable,
  TotpsTable,
} from './tables/sign-in.ts'
import type {
  CustomSourcesTable,
  EngineProcessesTable,
  FollowersTable,
  HealthEventsTable,
  LookUpsTable,
  SourceBlocksTable,
  SourceLogsTable,
  SourceMinutesTable,
  TimersTable,
} from './tables/sources.ts'
import type { HistoriesTable, SubscriptionResourcesTable, SubscriptionsTable } from './tables/subscriptions.ts'
import type {
  ChangesTable,
  FactoryMembersTable,
  TriggerBindingsTable,
  TriggerDraftsTable,
  TriggerEventsTable,
  TriggerFactoriesTable,
  TriggerLogsTable,
  TriggersTable,
  TriggerVersionsTable,
} from './tables/triggers.ts'

export type * from './tables/alerts.ts'
export type * from './tables/columns.ts'
export type * from './tables/people.ts'
export type * from './tables/projects.ts'
export type * from './tables/resources.ts'
export type * from './tables/sign-in.ts'
export type * from './tables/sources.ts'
export type * from './tables/subscriptions.ts'
export type * from './tables/triggers.ts'

export type SettingsTable = { key: string; value: string }

export type Tables = {
  settings: SettingsTable
  accounts: AccountsTable
  identities: IdentitiesTable
  tokens: TokensTable
  password_resets: PasswordResetsTable
  totps: TotpsTable
  recovery_codes: RecoveryCodesTable
  account_places: AccountPlacesTable
  passkeys: PasskeysTable
  challenges: ChallengesTable
  idempotency_keys: IdempotencyKeysTable
  addresses: AddressesTable
  address_lists: AddressListsTable
  workspaces: WorkspacesTable
  members: MembersTable
  audit_entries: AuditEntriesTable
  invitations: InvitationsTable
  projects: ProjectsTable
  access_links: AccessLinksTable
  access_link_openings: AccessLinkOpeningsTable
  images: ImagesTable
  addons: AddonsTable
  project_secrets: ProjectSecretsTable
  aliases: AliasesTable
  transfers: TransfersTable
  templates: TemplatesTable
  stack_entities: StackEntitiesTable
  triggers: TriggersTable
  trigger_bindings: TriggerBindingsTable
  trigger_factories: TriggerFactoriesTable
  factory_members: FactoryMembersTable
  trigger_drafts: TriggerDraftsTable
  trigger_versions: TriggerVersionsTable
  trigger_logs: TriggerLogsTable
  resources: ResourcesTable
  setup_sessions: SetupSessionsTable
  custom_sources: CustomSourcesTable
  source_logs: SourceLogsTable
  subscriptions: SubscriptionsTable
  histories: HistoriesTable
  subscription_resources: SubscriptionResourcesTable
  followers: FollowersTable
  engine_processes: EngineProcessesTable
  source_blocks: SourceBlocksTable
  source_minutes: SourceMinutesTable
  timers: TimersTable
  look_ups: LookUpsTable
  alerts: AlertsTable
  deliveries: DeliveriesTable
  lanes: LanesTable
  taken_deliveries: TakenDeliveriesTable
  count_changes: CountChangesTable
  hourly_counts: HourlyCountsTable
  hourly_runs: HourlyRunsTable
  state_windows: StateWindowsTable
  policy_states: PolicyStatesTable
  policy_values: PolicyValuesTable
  changes: ChangesTable
  trigger_events: TriggerEventsTable
  health_events: HealthEventsTable
}
