import { type Kysely, sql } from 'kysely'

/**
 * What runs: who listens, how far each source was followed, what was found, and where it was delivered. Rows of the
 * engine refer to entities by id, so that a transfer need not touch them. Jobs are pg-boss's, in its own schema.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const stamps = 'created_at timestamptz not null, updated_at timestamptz not null'

const statements = [
  `create table subscriptions (
    id text primary key, seq bigint generated always as identity,
    account_id text not null references accounts on delete cascade,
    workspace_id text not null references workspaces on delete cascade,
    project_id text not null references projects on delete cascade,
    template_id text references templates on delete set null, topics json, vals json,
    trigger_id text references triggers on delete set null, inputs json, conditions json,
    policy json, delivery json, overrides json, meta json not null, paused boolean not null default false,
    version integer not null default 1, ${stamps})`,
  'create index on subscriptions (account_id, seq)',
  'create index on subscriptions (workspace_id, seq)',
  'create index on subscriptions (project_id, seq)',
  'create index on subscriptions (trigger_id)',
  'create index on subscriptions (template_id)',
  `create table subscription_resources (
    subscription_id text not null references subscriptions on delete cascade,
    resource_id text not null references resources on delete cascade, position integer not null,
    primary key (subscription_id, resource_id))`,
  'create index on subscription_resources (resource_id)',

  // One row for each followed source; `epoch` fences whoever lost the lease, `number` and `hash` are the checkpoint.
  `create table followers (
    source text primary key, owner text, lease_until timestamptz, epoch bigint not null default 0,
    revision integer not null default 0, number bigint, hash text, head bigint, head_at timestamptz,
    finalized bigint, state json, updated_at timestamptz not null)`,
  // The applied blocks that may still be replaced, and those that were. A block that comes back is another incarnation.
  `create table source_blocks (
    source text not null, hash text not null, number bigint not null, parent_hash text not null,
    incarnation integer not null default 0, undone_at timestamptz, primary key (source, hash))`,
  'create index on source_blocks (source, number)',
  `create table timers (
    trigger_id text primary key references triggers on delete cascade, ticked_at timestamptz not null)`,

  // What alerts and deliveries refer to is held by whoever adds them, once for a whole commit. Foreign keys would look it
  // up again for every row, which costs as much as the rows; the triggers below do what deleting asks of them.
  `create table alerts (
    id text primary key, seq bigint generated always as identity, kind text not null default 'match',
    subscription_id text, rule_id text, account_id text not null, workspace_id text not null,
    project_id text, trigger_id text, project text not null, trigger text not null, status text not null, reason text,
    source text, block_number bigint, block_hash text, incarnation integer,
    policy_key text, delivery_key text, digest_id text, item_at timestamptz not null,
    message json not null, trace json not null, ${stamps})
    -- Every alert is updated once, by its delivery: beside the old row, so that no index is touched.
    with (fillfactor = 50)`,
  'create index on alerts (account_id, seq)',
  'create index on alerts (workspace_id, seq)',
  'create index on alerts (trigger_id, seq)',
  'create index on alerts (subscription_id, seq)',
  'create index on alerts (source, block_hash) where block_hash is not null',
  `create index on alerts (subscription_id, policy_key, item_at) where policy_key is not null`,
  `create index on alerts (subscription_id, delivery_key) where delivery_key is not null`,
  'create index on alerts (digest_id) where digest_id is not null',
  'create index on alerts (created_at)',

  `create table deliveries (
    id text primary key, seq bigint generated always as identity,
    alert_id text not null, kind text not null default 'alert', resource_id text, resource text not null,
    blueprint text not null,
    status text not null, attempts json not null default '[]', attempts_count integer not null default 0,
    due_at timestamptz not null, sent json, may_have_arrived boolean not null default false, ${stamps})`,
  'create index on deliveries (alert_id)',
  "create index on deliveries (resource_id, due_at, seq) where status = 'pending'",
  ...onDeletion('accounts', 'delete from alerts where account_id = old.id'),
  ...onDeletion('workspaces', 'delete from alerts where workspace_id = old.id'),
  ...onDeletion('projects', 'delete from alerts where project_id = old.id'),
  ...onDeletion('subscriptions', 'update alerts set subscription_id = null where subscription_id = old.id'),
  ...onDeletion('triggers', 'update alerts set trigger_id = null where trigger_id = old.id'),
  ...onDeletion('alerts', 'delete from deliveries where alert_id = old.id'),
  ...onDeletion('resources', 'update deliveries set resource_id = null where resource_id = old.id'),
  // Who sends to a resource now, and since when it fails.
  `create table lanes (
    resource_id text primary key references resources on delete cascade, owner text, lease_until timestamptz,
    failing_since timestamptz, not_before timestamptz)`,
  // What each turn of a lane may be sending. A row of its own, so that taking and settling do not wait for each other.
  `create table taken_deliveries (
    owner text primary key, resource_id text not null references resources on delete cascade, ids json not null)`,
  'create index on taken_deliveries (resource_id)',

  `create table state_windows (
    trigger_id text not null references triggers on delete cascade, provider text not null, scope text not null,
    state json not null, source text, block_number bigint, updated_at timestamptz not null,
    primary key (trigger_id, provider, scope))`,
  'create index on state_windows (source, block_number)',
  `create table policy_states (
    subscription_id text not null references subscriptions on delete cascade, rule_id text not null, key text not null,
    state json not null, due_at timestamptz, updated_at timestamptz not null,
    primary key (subscription_id, rule_id, key))`,
  'create index on policy_states (due_at) where due_at is not null',

  // What a trigger's status was before its source failed: it comes back with the source.
  'alter table triggers add column status_before json',

  // A keyed hash of the chat that a resource delivers to: what happens to a chat is told to its resources.
  'alter table resources add column destination_key text',
  'create index on resources (destination_key) where destination_key is not null',

  // The bot knows people by who claimed what.
  'create index on setup_sessions (messenger_user, updated_at) where messenger_user is not null',

  // Changes of status, written in the transaction of the change whoever makes it; an engine makes work of them.
  `create table trigger_events (
    id bigint generated always as identity primary key, trigger_id text not null references triggers on delete cascade,
    before json not null, after json not null, at timestamptz not null default now())`,
  'create index on trigger_events (trigger_id)',
  `create function note_status() returns trigger language plpgsql as $$
    begin
      insert into trigger_events (trigger_id, before, after) values (new.id, old.status, new.status);
      return null;
    end $$`,
  `create trigger note_status after update of status on triggers for each row
    when (old.status->>'status' is distinct from new.status->>'status') execute function note_status()`,

  // What engines reload. A row can be read when every transaction older than its own has ended: none is passed over.
  `create table changes (
    id bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    kind text not null, entity_id text not null, at timestamptz not null default now())`,
  'create index on changes (xid, id)',
  'create index on changes (at)',
  `create function note_change() returns trigger language plpgsql as $$
    begin
      insert into changes (kind, entity_id) values (tg_argv[0],
        case when tg_op = 'DELETE' then to_jsonb(old) ->> tg_argv[1] else to_jsonb(new) ->> tg_argv[1] end);
      return null;
    end $$`,
  noting('triggers', 'trigger', 'id', 'definition, providers, data_source, fullname, project_id'),
  noting('subscriptions', 'subscription', 'id'),
  noting('subscription_resources', 'subscription', 'subscription_id'),
  noting('templates', 'template', 'id'),
  noting('custom_sources', 'source', 'fullname', 'revision, public'),
  noting('projects', 'project', 'id', 'access_level, visibility, workspace_id'),
  noting('members', 'account', 'account_id'),
  noting('access_link_openings', 'account', 'account_id'),
  noting('access_links', 'project', 'project_id', 'revoked_at'),
]

function noting(table: string, kind: string, id: string, columns?: string): string {
  return `create trigger note_change after insert or delete or update${columns ? ` of ${columns}` : ''} on ${table}
    for each row execute function note_change('${kind}', '${id}')`
}

function onDeletion(table: string, work: string): string[] {
  return [
    `create function forget_${table}() returns trigger language plpgsql as $$ begin ${work}; return null; end $$`,
    `create trigger forget after delete on ${table} for each row execute function forget_${table}()`,
  ]
}
