import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'

/** `abi`: verified contracts by chain and address. The others: names of addresses by source and address. */
export type LookUpKind = 'abi' | 'contract-name' | 'ens-name'

/** Answers of other services and of chains, kept for a while. */
export function lookUpsTable({ db }: Base) {
  return {
    /** The values that have not expired, by key. */
    async find(kind: LookUpKind, keys: readonly string[], now: Date): Promise<Map<string, unknown>> {
      const rows = await db
        .selectFrom('look_ups')
        .select(['key', 'value'])
        .where('kind', '=', kind)
        .where('key', '=', sql<string>`any(${keys})`)
        .where('expires_at', '>', now)
        .execute()
      return new Map(rows.map(({ key, value }) => [key, value]))
    },
    /** The names that look-ups on a source have found, by address or hash in lower case. */
    async findNames(source: string, hashes: readonly string[], now: Date): Promise<Map<string, string>> {
      if (hashes.length === 0) return new Map()
      const keyOf = (hash: string) => `${source} ${hash}`
      const kept = await this.find('contract-name', hashes.map(keyOf), now)
      return new Map(
        hashes.flatMap((hash) => {
          const name = kept.get(keyOf(hash))
          return typeof name === 'string' && name !== '' ? [[hash, name] as const] : []
        }),
      )
    },
    async save(kind: LookUpKind, key: string, value: unknown, expiresAt: Date): Promise<void> {
      const row = { value: json(value), expires_at: expiresAt }
      await db
        .insertInto('look_ups')
        .values({ kind, key, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet(row))
        .execute()
    },
    /** Deletes expired answers, and those that expire first if there are more than `rowsMax`. */
    async sweep(now: Date, rowsMax = 20_000): Promise<void> {
      await sql`delete from look_ups where expires_at <= greatest(${now},
        (select expires_at from look_ups order by expires_at desc offset ${rowsMax} limit 1))`.execute(db)
    },
  }
}
