import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { SourceState } from '../core/tables.ts'

/** The calls to one endpoint within a minute. `host` is no URL, because URLs contain keys. */
export type EndpointMinute = {
  host: string
  requests: number
  failures: number
  timeouts: number
  slowDowns: number
  latencyMs: number | null
  lag?: number
}
export type SourceMinute = {
  source: string
  minute: Date
  status: SourceState
  head: number | null
  processed: number | null
  lag: number | null
  headAgeMs: number | null
  endpoints: EndpointMinute[]
}
/** The worst values of some minutes. */
export type SourceSample = Pick<SourceMinute, 'status' | 'head' | 'processed' | 'lag' | 'headAgeMs'> & { at: Date }
export type EndpointTotal = Omit<EndpointMinute, 'lag'> & { lag: number | null }

/** How many rows one statement deletes. */
const dropRows = 1_000

export function sourceMinutesTable({ db }: Base) {
  return {
    /** A minute that another process has stored stays as it is. */
    async addAll(minutes: readonly SourceMinute[]): Promise<void> {
      if (minutes.length === 0) return
      await sql`
        insert into source_minutes (source, minute, status, head, processed, lag, head_age_ms, endpoints)
        select source, minute, status, head, processed, lag, "headAgeMs", endpoints
        from json_to_recordset(${json(minutes)}::json) as m (source text, minute timestamptz, status text, head bigint,
          processed bigint, lag bigint, "headAgeMs" bigint, endpoints json)
        on conflict do nothing`.execute(db)
    },
    /** Oldest first, one sample for each step. Steps in which nobody followed the source are left out. */
    async list(source: string, from: Date, stepMinutes: number): Promise<SourceSample[]> {
      const { rows } = await sql<SourceSample>`
        select date_bin(make_interval(mins => ${stepMinutes}::int), minute, 'epoch') as at,
          case when bool_or(status = 'error') then 'error' when bool_or(status = 'lagging') then 'lagging'
            else (array_agg(status order by minute desc))[1] end as status,
          max(head)::float8 as head, max(processed)::float8 as processed, max(lag)::float8 as lag,
          max(head_age_ms)::float8 as "headAgeMs"
        from source_minutes where source = ${source} and minute >= ${from} group by 1 order by 1`.execute(db)
      return rows
    },
    /** The endpoints of the last stored minute, with the sums of their calls since a time. */
    async sumEndpoints(source: string, from: Date): Promise<EndpointTotal[]> {
      const { rows } = await sql<EndpointTotal>`
        with calls as (select e.*, m.minute, n.place from source_minutes m
          cross join lateral json_array_elements(m.endpoints) with ordinality as n (endpoint, place)
          cross join lateral json_to_record(n.endpoint) as e (host text, requests bigint, failures bigint,
            timeouts bigint, "slowDowns" bigint, "latencyMs" float8, lag float8)
          where m.source = ${source} and m.minute >= ${from})
        select host, sum(requests)::float8 as requests, sum(failures)::float8 as failures,
          sum(timeouts)::float8 as timeouts, sum("slowDowns")::float8 as "slowDowns",
          (array_agg("latencyMs" order by minute desc))[1] as "latencyMs", (array_agg(lag order by minute desc))[1] as lag
        from calls group by place, host having max(minute) = (select max(minute) from calls) order by place`.execute(db)
      return rows
    },
    async removeAll(source: string): Promise<void> {
      await sql`delete from source_minutes where source = ${source}`.execute(db)
    },
    /** Deletes the oldest rows from before this time, and returns how many. */
    async drop(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from source_minutes where (source, minute) in (select source, minute from source_minutes
          where minute < ${before} order by minute limit ${sql.lit(dropRows)} for update skip locked)`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}
