import { type Kysely, sql } from 'kysely'

/** How engines learn what they have to read again. Notices wake them, so that they need not poll. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
-- A row can be read when every transaction older than its own has ended, so none is passed over.
create table changes (
  id bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
  kind text not null, entity_id text not null, at timestamptz not null default now());
create index on changes (xid, id);
create index on changes (at);

-- The arguments are the kind of the change and the column with the id.
create function note_change() returns trigger language plpgsql as $$
  begin
    insert into changes (kind, entity_id) values (tg_argv[0],
      case when tg_op = 'DELETE' then to_jsonb(old) ->> tg_argv[1] else to_jsonb(new) ->> tg_argv[1] end);
    return null;
  end $$;
create trigger note_change after insert or delete or update of definition, providers, data_source, fullname, project_id
  on triggers for each row execute function note_change('trigger', 'id');
create trigger note_change after insert or delete or update
  on subscriptions for each row execute function note_change('subscription', 'id');
create trigger note_change after insert or delete or update
  on subscription_resources for each row execute function note_change('subscription', 'subscription_id');
-- When a history ends, its subscription becomes live.
create trigger note_change after update of state
  on histories for each row execute function note_change('subscription', 'subscription_id');
create trigger note_change after insert or delete or update
  on templates for each row execute function note_change('template', 'id');
create trigger note_change after insert or delete or update of revision, public
  on custom_sources for each row execute function note_change('source', 'fullname');
create trigger note_change after insert or delete or update of addresses, fullname
  on address_lists for each row execute function note_change('address_list', 'fullname');
create trigger note_change after insert or delete or update of access_level, visibility, workspace_id
  on projects for each row execute function note_change('project', 'id');
create trigger note_change after insert or delete or update
  on members for each row execute function note_change('account', 'account_id');
create trigger note_change after insert or delete or update
  on access_link_openings for each row execute function note_change('account', 'account_id');
create trigger note_change after insert or delete or update of revoked_at
  on access_links for each row execute function note_change('project', 'project_id');

create function notify_engines() returns trigger language plpgsql as $$
  begin
    perform pg_notify('tocsin', tg_table_name);
    return null;
  end $$;
create trigger notify_engines after insert on changes for each statement execute function notify_engines();
create trigger notify_engines after insert on trigger_events for each statement execute function notify_engines();
`
