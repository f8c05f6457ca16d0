import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const everyMs = 20

/** Counts how many sessions wait for a lock, fifty times a second. `end` returns the average number. */
export function sampleWaits(url: string): { end(): Promise<number> } {
  let isOver = false
  const sample = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const counts: number[] = []
    while (!isOver) {
      const { rows } = await client.query(
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'",
      )
      counts.push(rows[0].n)
      await pause(everyMs)
    }
    await client.end()
    return counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length)
  }
  const sampled = sample()
  return {
    end: () => {
      isOver = true
      return sampled
    },
  }
}
