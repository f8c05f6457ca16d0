import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'
import type { StateWindowsTable } from '../core/tables.ts'

export type StoredWindow = StateWindowsTable['state']['__select__']
export type WindowName = { trigger: string; provider: string; scope: string }
/** The block is the latest that added an entry. It finds the windows that an undone block may have changed. */
export type WindowWrite = WindowName & { state: StoredWindow; source: string | null; blockNumber: number | null }

export function stateWindowsTable({ db }: Base) {
  return {
    async find({ trigger, provider, scope }: WindowName): Promise<StoredWindow | undefined> {
      const row = await db
        .selectFrom('state_windows')
        .select('state')
        .where('trigger_id', '=', trigger)
        .where('provider', '=', provider)
        .where('scope', '=', scope)
        .executeTakeFirst()
      return row?.state
    },
    /** Locks the windows to which a block from this number on may have added entries. */
    async lockFrom(source: string, blockNumber: number): Promise<WindowWrite[]> {
      const rows = await db
        .selectFrom('state_windows')
        .selectAll()
        .where('source', '=', source)
        .where('block_number', '>=', String(blockNumber))
        .orderBy('trigger_id')
        .orderBy('provider')
        .orderBy('scope')
        .forUpdate()
        .execute()
      return rows.map(({ trigger_id, provider, scope, state, source, block_number }) => ({
        trigger: trigger_id,
        provider,
        scope,
        state,
        source,
        blockNumber: block_number === null ? null : Number(block_number),
      }))
    },
    /** Removes the windows of a history. A window that has no live state yet continues with that of the history. */
    async adopt(triggers: readonly string[], prefix: string): Promise<void> {
      await sql`
        with own as (delete from state_windows where trigger_id = any(${[...triggers]}) and starts_with(scope, ${prefix}) returning *)
        insert into state_windows (trigger_id, provider, scope, state, source, block_number, updated_at)
        select trigger_id, provider, substr(scope, length(${prefix}) + 1), state, source, block_number, updated_at from own
        on conflict (trigger_id, provider, scope) do nothing`.execute(db)
    },
    async saveAll(windows: readonly WindowWrite[], at: Date): Promise<void> {
      if (windows.length === 0) return
      await sql`
        insert into state_windows (trigger_id, provider, scope, state, source, block_number, updated_at)
        select trigger, provider, scope, state, source, "blockNumber", ${at}::timestamptz
        from json_to_recordset(${storableJson(windows)}::json) as w(trigger text, provider text, scope text, state json,
          source text, "blockNumber" bigint)
        on conflict (trigger_id, provider, scope) do update set state = excluded.state, source = excluded.source,
          block_number = excluded.block_number, updated_at = excluded.updated_at`.execute(db)
    },
  }
}
