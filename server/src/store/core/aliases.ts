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
  }
}
