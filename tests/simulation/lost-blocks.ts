import type { World } from './world.ts'

/** Blocks that the source's log calls lost for triggers on transactions or calls. */
export type LostBlocks = { from: number; to: number }

/** A part that is not back yet is lost in all blocks since the first. */
export async function lostBlocksOf({ database }: World, source: string): Promise<LostBlocks[]> {
  const { rows: ended } = await database.query<LostBlocks>(
    `select (l.details->>'from')::int as from, (l.details->>'to')::int as to
     from source_logs l join custom_sources s on s.id = l.source_id
     where s.fullname = $1 and l.message like '%gave nothing to triggers on%'`,
    [source],
  )
  const { rows: open } = await database.query<LostBlocks>(
    `select (part->>'since')::int as from, 1e9::int as to
     from followers, json_array_elements(state->'unreadable') part where source = $1 and part->>'since' is not null`,
    [source],
  )
  return [...ended, ...open]
}
