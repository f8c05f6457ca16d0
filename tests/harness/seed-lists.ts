/** Fills a store with many alerts, deliveries and log lines by SQL, for tests and benchmarks of lists. */
import { AlertStatus } from '@tocsin/contract'
import type { Client } from '@tocsin/sdk'
import type pg from 'pg'
import { customSource, project, subscription, trigger } from './records.ts'

/** The subscriptions that alerts are made for, by what they stand for. */
export type ListSeed = { common: string; rare: string; side: string; quiet: string; member: string }

/**
 * `owner` leads the workspaces `busy` and `quiet`; `member` has the level `user` in `busy`. Nearly all alerts belong to
 * `busy`, half a percent of them to the trigger `rare`. A thousandth of the alerts of the subscription `common` come from the
 * trigger `rare`, as if a template had both. Some alerts are of deleted subscriptions and of deleted triggers.
 */
export async function makeListOwners(owner: Client, member: Client): Promise<ListSeed> {
  const { invite = '' } = await owner.saveWorkspace({ fullname: 'busy', body: { fullname: 'busy' } })
  await owner.saveWorkspace({ fullname: 'quiet', body: { fullname: 'quiet' } })
  await member.joinWorkspace({ workspace: 'busy', body: { invite } })
  for (const fullname of ['busy.app', 'busy.side'])
    await owner.saveProject({ fullname, body: project(fullname, { public: true }) })
  for (const fullname of ['busy.app.common', 'busy.app.rare', 'busy.side.t'])
    await owner.saveTrigger({ fullname, body: trigger(fullname) })
  await owner.saveCustomSource({ fullname: 'busy.chain', body: customSource('busy.chain') })
  const subscribe = async (person: Client, name: string, workspace = 'busy') =>
    (await person.createSubscription({ body: subscription(name, { workspace }) })).id
  return {
    common: await subscribe(owner, 'busy.app.common'),
    rare: await subscribe(owner, 'busy.app.rare'),
    side: await subscribe(owner, 'busy.side.t'),
    quiet: await subscribe(owner, 'busy.app.common', 'quiet'),
    member: await subscribe(member, 'busy.app.common'),
  }
}

/**
 * All rows are younger than the retention. Each alert has one delivery. The last 100 deliveries wait and are fresh, and the
 * fifth before them wait and are late. An alert that was delivered at once keeps the status `pending`.
 */
export async function seedLists(database: pg.ClientBase, seed: ListSeed, count: number): Promise<void> {
  const { common, rare, side, quiet, member } = seed
  await database.query(
    `insert into alerts (id, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id, project, trigger,
       status, severity, source, block_number, block_hash, incarnation, item_at, message, trace, created_at, updated_at)
     select 'al_' || lpad(n::text, 12, '0'), case when n % 97 > 0 then s.id end, 'trigger', s.account_id, s.workspace_id,
       s.project_id, case when n % 89 > 0 then t.id end,
       p.fullname, t.fullname, made.status, made.severity, 'busy.chain', n / 100, 'block' || n / 100, 0, made.at,
       '{"title": "A transfer", "short": "0x1234 sent 5 to 0x5678"}',
       '{"item": {"n": 1}, "inputs": {}, "providers": {}, "activated": true, "raw": {"n": 1}}', made.at, made.at
     from generate_series(1, $1::int) n cross join lateral (select
       case when n % 200 = 0 then $3 when n % 2000 = 1 then $5 when n % 5 = 2 then $4 when n % 10 = 3 then $6 else $2 end as sub,
       case n % 503 when 0 then 'failed' when 1 then 'retracted' when 2 then 'collected' when 3 then 'digested'
         when 4 then 'delivered' else case when n >= $1 * 0.8 then 'pending' else 'delivered' end end as status,
       case when n % 701 = 0 then 'critical' when n % 53 = 0 then 'warning' else 'info' end as severity,
       now() - ($1 - n) * interval '50 milliseconds' as at) made
     join subscriptions s on s.id = made.sub join projects p on p.id = s.project_id
     join triggers t on case when n % 1000 = 4 then t.fullname = 'busy.app.rare' else t.id = s.trigger_id end`,
    [count, common, rare, side, quiet, member],
  )
  await database.query(
    `insert into deliveries (id, alert_id, resource, blueprint, status, due_at, created_at, updated_at)
     select 'dl_' || n, 'al_' || lpad(n::text, 12, '0'), 'busy.hook', 'common.delivery.webhook',
       case when n % 503 = 0 then 'dead' when n % 503 > 4 and n >= $1 * 0.8 then 'pending' else 'delivered' end,
       made.at, made.at, made.at
     from generate_series(1, $1::int) n
     cross join lateral (select now() - ($1 - n) * interval '50 milliseconds' as at) made`,
    [count],
  )
  await seedLogs(database, Math.ceil(count / 10))
  await database.query('analyze')
}

async function seedLogs(database: pg.ClientBase, count: number): Promise<void> {
  await database.query(
    `insert into trigger_logs (trigger_id, kind, status, count, first_seen_at, last_seen_at)
     select t.id, 'delivery', case when n % 1000 = 0 then 'failed' else 'delivered' end, 1,
       now() - ($1 - n) * interval '20 days' / $1, now() - ($1 - n) * interval '20 days' / $1
     from triggers t, generate_series(1, $1::int) n where t.fullname in ('busy.app.common', 'busy.side.t')`,
    [count],
  )
  await database.query(
    `insert into source_logs (source_id, at, level, message)
     select s.id, now() - ($1 - n) * interval '20 days' / $1,
       case when n % 5000 = 0 then 'error' when n % 1000 = 0 then 'warn' else 'info' end, 'A line'
     from custom_sources s, generate_series(1, $1::int) n where s.fullname = 'busy.chain'`,
    [count],
  )
}

export type AlertQuery = NonNullable<NonNullable<Parameters<Client['listAlerts']>[0]>['query']>
const statuses = [undefined, ...AlertStatus.options]

/** Every combination of the given filters, each with every status and with none. */
export function combineFilters(filters: AlertQuery): AlertQuery[] {
  const combinations = Object.entries(filters).reduce<AlertQuery[]>(
    (all, [name, value]) => all.flatMap((query) => [query, { ...query, [name]: value }]),
    [{}],
  )
  return combinations.flatMap((query) => statuses.map((status) => (status ? { ...query, status } : query)))
}
