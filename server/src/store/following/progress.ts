import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'
import type { SourceRuntime, SourceStatus } from '../core/tables.ts'
import { type FollowerLease, leaseEnd } from './followers.ts'
import type { BlockLink } from './source-blocks.ts'

/** What a custom source reports. `status` is null if it did not change. */
export type SourceToReport = { id: string; revision: number; runtime: SourceRuntime; status: SourceStatus | null }
/** The head of a source, and the blocks without matches after its checkpoint, the oldest first. */
export type SourceToMove = FollowerLease & {
  head: number
  headAt: Date | string | null
  finalized: number | null
  /** Without it, the stored one stays. */
  readAt?: Date | null
  blocks: readonly (BlockLink & { at?: string | null })[]
}
/** The sources that were moved, and those of which a block is already applied, which were not. */
export type MovedSources = { moved: ReadonlySet<string>; doubled: ReadonlySet<string> }

export function progressTable({ db }: Base) {
  return {
    /**
     * Stores reports, heads, blocks and checkpoints of several sources. One statement, because an idle process does little
     * else. It locks sources before followers, as every transaction does. It leaves out the reports of sources that were
     * saved, restarted or deleted meanwhile, and followers whose row others lock or whose lease was lost. The `offset 0` makes
     * PostgreSQL look each block up by its key; it expects many more blocks than there are, and would read the whole table.
     */
    async save(reports: readonly SourceToReport[], sources: readonly SourceToMove[], at: Date): Promise<MovedSources> {
      const { rows } = await sql<{ moved: string[]; doubled: string[] }>`
        with reported as (
          update custom_sources s set runtime = r.runtime, status = coalesce(r.status, s.status)
          from json_to_recordset(${storableJson(reports)}::json)
            as r (id text, revision integer, runtime json, status json)
          where s.id = r.id and s.revision = r.revision returning s.id),
        wanted as (
          select * from json_to_recordset(${json(sources)}::json) as w (source text, epoch bigint, head bigint,
            "headAt" timestamptz, finalized bigint, "readAt" timestamptz, blocks json)),
        free as (
          select w.* from followers f join wanted w using (source, epoch)
          where (select count(*) from reported) >= 0 for no key update of f skip locked),
        links as (
          select source, hash, number, "parentHash", at from free,
            json_to_recordset(blocks) as b (hash text, number bigint, "parentHash" text, at timestamptz)),
        doubled as (
          select distinct l.source from links l, lateral (select from source_blocks b
            where b.source = l.source and b.hash = l.hash and undone_at is null offset 0) applied),
        tips as (select distinct on (source) source, number, hash, at from links order by source, number desc),
        moved as (
          update followers f set number = coalesce(tips.number, f.number), hash = coalesce(tips.hash, f.hash),
            head = free.head, head_at = free."headAt", read_at = coalesce(free."readAt", f.read_at), lease_until = ${leaseEnd}, updated_at = ${at},
            finalized = case when tips.number is null then f.finalized else free.finalized end,
            number_at = case when tips.number is null then f.number_at else tips.at end
          from free left join tips using (source)
          where f.source = free.source and free.source not in (select source from doubled) returning f.source),
        added as (
          insert into source_blocks as b (source, hash, number, parent_hash)
          select source, hash, number, "parentHash" from links join moved using (source)
          on conflict (source, hash) do update set incarnation = b.incarnation + 1, undone_at = null
          where b.undone_at is not null)
        select array(select source from moved) as moved, array(select source from doubled) as doubled`.execute(db)
      return { moved: new Set(rows[0]?.moved), doubled: new Set(rows[0]?.doubled) }
    },
  }
}
