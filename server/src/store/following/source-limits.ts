import type { SourceKind } from '@tocsin/contract'
import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { SourceRuntime } from '../core/tables.ts'

/** What a new source is checked against: the quota of its account, and other public sources of its network. */
export function sourceLimitsTable({ db }: Base) {
  return {
    /** Counts the sources in the workspaces where the account may create sources. */
    async countManaged(accountId: string): Promise<number> {
      const row = await db
        .selectFrom('custom_sources as s')
        .innerJoin('members as m', 'm.workspace_id', 's.workspace_id')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('m.account_id', '=', accountId)
        .where('m.level', 'in', ['owner', 'admin', 'developer'])
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    /** Makes an account's concurrent creations wait for each other, so that two cannot both use the last of the quota. */
    async lockQuota(accountId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`custom-sources ${accountId}`}, 0))`.execute(db)
    },
    /** Another public source of the same network, if both networks are known. Concurrent calls wait for each other. */
    async findPublicDuplicate(source: {
      id: string
      kind: SourceKind
      runtime: SourceRuntime
    }): Promise<string | undefined> {
      const network = `${source.kind} ${source.runtime.chainId ?? source.runtime.genesisHash}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${`public ${network}`}, 0))`.execute(db)
      const { rows } = await sql<{ fullname: string }>`
        select fullname from custom_sources where public and id <> ${source.id} and kind = ${source.kind}
          and (runtime->>'chainId' = ${source.runtime.chainId ?? null}
            or runtime->>'genesisHash' = ${source.runtime.genesisHash ?? null}) limit 1`.execute(db)
      return rows[0]?.fullname
    },
  }
}
