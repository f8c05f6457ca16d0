import { type Selectable, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { SourceBlocksTable } from '../core/tables.ts'
import { type AppliedCheckpoint, endIfFrozen, type FollowerLease, leaseEnd } from './followers.ts'

/** A block with the hash of its parent. */
export type BlockLink = { number: number; hash: string; parentHash: string }
export type KeptBlock = BlockLink & { incarnation: number }

export function sourceBlocksTable({ db }: Base) {
  return {
    /** The applied blocks that a reorg may still replace, oldest first. */
    async listApplied(source: string): Promise<KeptBlock[]> {
      const rows = await db
        .selectFrom('source_blocks')
        .selectAll()
        .where('source', '=', source)
        .where('undone_at', 'is', null)
        .orderBy('number')
        .execute()
      return rows.map(keptBlock)
    },
    /** The stored blocks with these numbers, applied and undone. */
    async listBetween(source: string, from: number, to: number): Promise<(KeptBlock & { isUndone: boolean })[]> {
      const rows = await db
        .selectFrom('source_blocks')
        .selectAll()
        .where('source', '=', source)
        .where('number', '>=', String(from))
        .where('number', '<=', String(to))
        .execute()
      return rows.map((row) => ({ ...keptBlock(row), isUndone: row.undone_at !== null }))
    },
    /**
     * Returns the incarnation of each added block by hash: one more than before if the block was undone earlier. Blocks that
     * are already applied are not in the result.
     */
    async add(source: string, blocks: readonly BlockLink[]): Promise<Map<string, number>> {
      const { rows } = await sql<{ hash: string; incarnation: number }>`
        insert into source_blocks as b (source, hash, number, parent_hash)
        select ${source}, hash, number, "parentHash" from
          json_to_recordset(${json(blocks)}::json) as x (hash text, number bigint, "parentHash" text)
        on conflict (source, hash) do update set incarnation = b.incarnation + 1, undone_at = null
        where b.undone_at is not null
        returning hash, incarnation`.execute(db)
      return new Map(rows.map(({ hash, incarnation }) => [hash, incarnation]))
    },
    /**
     * Moves the follower's checkpoint and adds the blocks, with the fence of the lease. One statement for all three, because
     * every alert waits for it. Returns what `add` returns; undefined if the lease was lost, and then it wrote nothing.
     */
    async advance(
      { source, epoch }: FollowerLease,
      blocks: readonly BlockLink[],
      to: AppliedCheckpoint,
      at: Date,
    ): Promise<Map<string, number> | undefined> {
      const { rows } = await sql<{ incarnations: Record<string, number> }>`
        with moved as (
          update followers set number = ${to.number}, hash = ${to.hash}, head = ${to.head}, head_at = ${to.headAt},
            finalized = ${to.finalized}, number_at = ${to.numberAt ?? null}, read_at = coalesce(${to.readAt ?? null}, read_at),
            lease_until = ${leaseEnd}, updated_at = ${at}
          where source = ${source} and epoch = ${epoch} returning source),
        added as (
          insert into source_blocks as b (source, hash, number, parent_hash)
          select moved.source, hash, number, "parentHash" from moved cross join
            json_to_recordset(${json(blocks)}::json) as x (hash text, number bigint, "parentHash" text)
          on conflict (source, hash) do update set incarnation = b.incarnation + 1, undone_at = null
          where b.undone_at is not null
          returning hash, incarnation)
        select (select coalesce(json_object_agg(hash, incarnation), '{}') from added) as incarnations, ${endIfFrozen}
        from moved`.execute(db)
      return rows[0] && new Map(Object.entries(rows[0].incarnations))
    },
    async undo(source: string, hashes: readonly string[], at: Date): Promise<KeptBlock[]> {
      const rows = await db
        .updateTable('source_blocks')
        .set({ undone_at: at })
        .where('source', '=', source)
        .where('hash', '=', sql<string>`any(${hashes})`)
        .where('undone_at', 'is', null)
        .returning(['number', 'hash', 'parent_hash', 'incarnation'])
        .execute()
      return rows.map(keptBlock)
    },
    /** True if this incarnation of a block was undone. An unknown block is final: only recent blocks are stored. */
    async isUndone(source: string, { hash, incarnation }: Pick<KeptBlock, 'hash' | 'incarnation'>): Promise<boolean> {
      const block = await db
        .selectFrom('source_blocks')
        .select(['incarnation', 'undone_at'])
        .where('source', '=', source)
        .where('hash', '=', hash)
        .executeTakeFirst()
      return block !== undefined && (block.undone_at !== null || block.incarnation !== incarnation)
    },
    /** Removes blocks that are final, and undone blocks that no job can refer to any more. */
    async prune(source: string, finalNumber: number, undoneBefore: Date): Promise<void> {
      await sql`delete from source_blocks where source = ${source} and number <= ${finalNumber}
        and (undone_at is null or undone_at < ${undoneBefore})`.execute(db)
    },
    /** The blocks above belong to a chain that is no longer followed. */
    async removeAbove(source: string, number: number): Promise<void> {
      await db.deleteFrom('source_blocks').where('source', '=', source).where('number', '>', String(number)).execute()
    },
    async removeAll(source: string): Promise<void> {
      await db.deleteFrom('source_blocks').where('source', '=', source).execute()
    },
  }
}

type BlockRow = Pick<Selectable<SourceBlocksTable>, 'number' | 'hash' | 'parent_hash' | 'incarnation'>

function keptBlock({ number, hash, parent_hash: parentHash, incarnation }: BlockRow): KeptBlock {
  return { number: Number(number), hash, parentHash, incarnation }
}
