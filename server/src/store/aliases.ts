import type { Base } from './base.ts'
import type { AliasKind } from './tables.ts'

/** Names that an entity had before a transfer; they go on resolving on GET. */
export function aliasesTable({ db }: Base) {
  return {
    async findTarget(kind: AliasKind, fullname: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('aliases')
        .select('target_id')
        .where('kind', '=', kind)
        .where('fullname', '=', fullname)
        .executeTakeFirst()
      return row?.target_id
    },
    /** The latest holder of a name is the one it leads to. */
    async add(aliases: { kind: AliasKind; fullname: string; targetId: string }[], at: Date): Promise<void> {
      if (aliases.length === 0) return
      await db
        .insertInto('aliases')
        .values(
          aliases.map((alias) => ({
            kind: alias.kind,
            fullname: alias.fullname,
            target_id: alias.targetId,
            created_at: at,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['kind', 'fullname']).doUpdateSet((set) => ({ target_id: set.ref('excluded.target_id') })),
        )
        .execute()
    },
  }
}
