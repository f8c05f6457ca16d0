import { type Kysely, sql } from 'kysely'

/**
 * What was found, and where it was delivered. The commit that adds alerts, deliveries or values of policies has locked what
 * they refer to. Foreign keys would look it up again for every row, which costs as much as the rows, so triggers do what a
 * deletion asks of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

/**
 * The key of a leaf: one subscription, trigger and workspace (`first-alerts.ts`). Alerts of a deleted trigger have the key of
 * their project, and those of a deleted subscription the key of their account.
 */
const leafKey = `((coalesce(subscription_id, account_id) || ' ' || coalesce(trigger_id, project_id, '') || ' ' || workspace_id)
  collate "C")`

const statements = `
create table alerts (
  id text primary key, seq bigint generated always as identity, kind text not null default 'match',
  subscription_id text, rule_id text, account_id text not null, workspace_id text not null,
  project_id text, trigger_id text, project text not null, trigger text not null, status text not null, reason text,
  source text, block_number bigint, block_hash text, incarnation integer,
  policy_key text, delivery_key text, digest_id text, item_at timestamptz not null,
  message json not null, trace json not null, created_at timestamptz not null, updated_at timestamptz not null,
  severity text not null default 'info', finality text, is_collected boolean not null default false,
  state text, resolves text, duration_ms bigint, backfilled boolean not null default false, shown_block json)
  with (fillfactor = 100);
create index on alerts (source, block_hash) where block_hash is not null;
create index on alerts (subscription_id, policy_key, item_at) where policy_key is not null;
create index on alerts (subscription_id, delivery_key) where delivery_key is not null;
-- The indexes of lists all end in (workspace_id, status, seq), which \`first-alerts.ts\` explains.
create index alerts_by_workspace on alerts (workspace_id, status, seq);
create index alerts_by_account on alerts (account_id, workspace_id, status, seq);
create index alerts_by_trigger on alerts (trigger_id, workspace_id, status, seq);
create index alerts_by_project on alerts (project_id, workspace_id, status, seq);
-- A digest policy reads the alerts that it collected, oldest first.
create index alerts_collected on alerts (subscription_id, seq) where status = 'collected';
-- The rows that retention may delete, oldest first. Alerts that stay longer are not in the index, so it does not pass them.
create index alerts_expiring on alerts (created_at)
  where status <> 'collected' and (delivery_key is null or subscription_id is null);
-- These hold only alerts that are more serious than info, so they cost nothing for the others.
create index alerts_serious_by_workspace on alerts (workspace_id, severity, status, seq) where severity <> 'info';
create index alerts_serious_by_account on alerts (account_id, workspace_id, severity, status, seq)
  where severity <> 'info';
create index alerts_serious_by_trigger on alerts (trigger_id, workspace_id, severity, status, seq)
  where severity <> 'info';
create index alerts_serious_by_project on alerts (project_id, workspace_id, severity, status, seq)
  where severity <> 'info';
-- Alerts that wait until their block is as final as the subscription wants.
create index alerts_waiting on alerts (source, finality, block_number) where status = 'waiting';
-- A reorg retracts an alert together with the one that resolves it.
create index alerts_resolving on alerts (resolves) where resolves is not null;
create index alerts_firing on alerts (workspace_id, seq) where state = 'firing';
create index alerts_by_leaf on alerts (${leafKey}, status, seq);
create index alerts_serious_by_leaf on alerts (${leafKey}, severity, status, seq) where severity <> 'info';

create table deliveries (
  id text primary key, seq bigint generated always as identity,
  alert_id text not null, kind text not null default 'alert', resource_id text, resource text not null,
  blueprint text not null, status text not null, attempts json not null default '[]',
  attempts_count integer not null default 0, due_at timestamptz not null, sent json,
  may_have_arrived boolean not null default false, created_at timestamptz not null, updated_at timestamptz not null,
  repeat integer not null default 0, folded_into text);
create index on deliveries (alert_id);
create index on deliveries (resource_id, due_at, seq) where status = 'pending';
create index on deliveries (folded_into) where folded_into is not null;

create function forget_accounts() returns trigger language plpgsql as $$
  begin
    delete from alerts where account_id = old.id;
    return null;
  end $$;
create trigger forget after delete on accounts for each row execute function forget_accounts();
create function forget_workspaces() returns trigger language plpgsql as $$
  begin
    delete from alerts where workspace_id = old.id;
    return null;
  end $$;
create trigger forget after delete on workspaces for each row execute function forget_workspaces();
create function forget_projects() returns trigger language plpgsql as $$
  begin
    delete from alerts where project_id = old.id;
    return null;
  end $$;
create trigger forget after delete on projects for each row execute function forget_projects();
create function forget_subscriptions() returns trigger language plpgsql as $$
  begin
    update alerts set subscription_id = null where ${leafKey} between old.id || ' ' and old.id || '!';
    return null;
  end $$;
create trigger forget after delete on subscriptions for each row execute function forget_subscriptions();
create function forget_triggers() returns trigger language plpgsql as $$
  begin
    update alerts set trigger_id = null where trigger_id = old.id;
    return null;
  end $$;
create trigger forget after delete on triggers for each row execute function forget_triggers();
create function forget_resources() returns trigger language plpgsql as $$
  begin
    update deliveries set resource_id = null where resource_id = old.id;
    return null;
  end $$;
create trigger forget after delete on resources for each row execute function forget_resources();
-- Once per statement: once per row took twice as long as deleting the alerts. An array, because PostgreSQL does not know how
-- many rows "gone" has and might read all deliveries for a join.
create function forget_alerts() returns trigger language plpgsql as $$
  begin
    delete from deliveries where alert_id = any(array(select id from gone));
    return null;
  end $$;
create trigger forget after delete on alerts referencing old table as gone
  for each statement execute function forget_alerts();

-- Which process sends to a resource now, and how its deliveries went. failure_alert_id is the alert that reported the failure
-- that lasts now; it is not a foreign key, because an alert that was deleted is not found. The table has few rows that change
-- every second, like those of the sources.
create table lanes (
  resource_id text primary key references resources on delete cascade, owner text, lease_until timestamptz,
  failing_since timestamptz, not_before timestamptz, last_error text, last_error_at timestamptz,
  last_success_at timestamptz, last_attempt json, failure_alert_id text)
  with (autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 2000);
-- What each turn of a lane may be sending. A row of its own, so that taking and recording do not wait for each other.
create table taken_deliveries (
  owner text primary key, resource_id text not null references resources on delete cascade, ids json not null);
create index on taken_deliveries (resource_id);

create table policy_states (
  subscription_id text not null references subscriptions on delete cascade, rule_id text not null, key text not null,
  state json not null, due_at timestamptz, updated_at timestamptz not null, version integer not null default 0,
  primary key (subscription_id, rule_id, key));
create index on policy_states (due_at) where due_at is not null;
-- The values that policies compared with a bound or with earlier values.
create table policy_values (
  subscription_id text not null, rule_id text not null, key text not null, slot timestamptz not null,
  at timestamptz not null, value text not null, bound text, until text,
  source text, block_hash text, incarnation integer, recorded_at timestamptz not null,
  primary key (subscription_id, rule_id, key, slot));
create index on policy_values (source, block_hash) where source is not null;
create index on policy_values (recorded_at);
create function delete_policy_values() returns trigger language plpgsql as $$
  begin
    delete from policy_values where subscription_id = old.id;
    return null;
  end $$;
create trigger delete_policy_values after delete on subscriptions for each row execute function delete_policy_values();

-- Each commit adds one row. Adding to the counts of the hour at once would make all its commits wait for the same rows.
create table count_changes (
  id bigint generated always as identity primary key, hour timestamptz not null, changes json not null, runs json);
create table hourly_counts (
  owner_kind text not null, owner_id text not null, hour timestamptz not null,
  recorded bigint not null, delivered bigint not null, failed bigint not null, failed_attempts bigint not null,
  primary key (owner_kind, owner_id, hour));
create index on hourly_counts (hour);
create table hourly_runs (
  trigger_id text not null, hour timestamptz not null,
  runs bigint not null, fired bigint not null, failed bigint not null,
  duration_ms double precision not null, slowest_ms double precision not null, provider_calls bigint not null,
  last jsonb not null, primary key (trigger_id, hour));
create index on hourly_runs (hour);
`
