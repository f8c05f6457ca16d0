import type { Base } from './base.ts'

export function settingsTable({ db, box }: Base) {
  return {
    async find(key: string): Promise<string | undefined> {
      const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
      return row?.value
    },
    /** The values by key, without the keys that have none. */
    async findAll(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await db.selectFrom('settings').selectAll().where('key', 'in', keys).execute()
      return new Map(rows.map(({ key, value }) => [key, value]))
    },
    /** Keeps the first value that was added, so that processes that start together agree. */
    async addOnce(key: string, value: string): Promise<void> {
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async set(key: string, value: string): Promise<void> {
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    },
    async addSecret(key: string, value: unknown): Promise<void> {
      await db
        .insertInto('settings')
        .values({ key, value: box.sealJson(value).toString('base64') })
        .execute()
    },
    async findSecret<T>(key: string): Promise<T | undefined> {
      const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
      return row && box.openJson<T>(Buffer.from(row.value, 'base64'))
    },
    async remove(key: string): Promise<void> {
      await db.deleteFrom('settings').where('key', '=', key).execute()
    },
  }
}
