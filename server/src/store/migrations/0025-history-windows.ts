import { type Kysely, sql } from 'kysely'

/** The state windows of a history are deleted with it, whatever deletes it: a subscription, a workspace, an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // The scope of such a window is `history <subscription> <scope>`.
  `create index state_windows_of_histories on state_windows (split_part(scope, ' ', 2))
    where starts_with(scope, 'history ')`,
  `create function delete_history_windows() returns trigger language plpgsql as $$
  begin
    delete from state_windows
      where starts_with(scope, 'history ') and split_part(scope, ' ', 2) = old.subscription_id;
    return old;
  end $$`,
  `create trigger delete_windows after delete on histories for each row
    execute function delete_history_windows()`,
  `delete from state_windows where starts_with(scope, 'history ')
    and split_part(scope, ' ', 2) not in (select subscription_id from histories where state = 'running')`,
]
