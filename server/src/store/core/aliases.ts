import type { Base } from './base.ts'
import type { AliasKind } from './tables.ts'

/** The names that an entity had before a transfer. GET requests still resolve them. */
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
