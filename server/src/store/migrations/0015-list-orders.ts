import { type Kysely, sql } from 'kysely'

/** Indexes that hold each list in its order, so that a page reads its own rows only (`first-named.ts`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  "create index projects_public on projects (fullname) where access_level <> 'private'",
  // Triggers are in the order of their project's name with a dot.
  "create index projects_public_prefix on projects ((fullname || '.')) where access_level <> 'private'",
  'create index on access_link_openings (account_id)',
  // An expression, because PostgreSQL might otherwise use this index for the names of one workspace, and sort them.
  "create index resources_by_project on resources (project_id, (fullname || ''))",
  'drop index resources_project_id_idx',
  'create index custom_sources_public on custom_sources (fullname) where public',
  'create index on members (workspace_id, id)',
  "create index tokens_personal on tokens (account_id, id) where kind = 'personal'",
  'create index on access_links (project_id, id)',
  'drop index access_links_project_id_idx',
  'create index on addons (project_id, id)',
  'drop index addons_project_id_idx',
  'create index on transfers (source_workspace_id, status, created_at, id)',
  'drop index transfers_source_workspace_id_idx',
  'create index on transfers (target_workspace_id, status, created_at, id)',
  'drop index transfers_target_workspace_id_idx',
  "create index transfers_pending on transfers (expires_at) where status = 'pending'",
]
