import type { Condition, DeliveryMode, Level, Overrides, Policy } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import type * as z from 'zod'
import { type Base, json, newId, type PageQuery, type RowPage, readPage } from '../core/base.ts'
import { equalTo, firstVisibleIds } from '../core/first-rows.ts'
import type { SubscriptionsTable, Tables } from '../core/tables.ts'
import { isInWorkspace, mayReadProject, maySendTo } from '../following/listeners.ts'

/** A subscription as its owner, or an owner or admin of its workspace, sees it. */
export type SubscriptionRow = Selectable<SubscriptionsTable> & {
  workspace: string
  project: string
  trigger: string | null
  account_name: string
  level: Level | null
  /** What the account of the subscription may use now; see `subscriber-access.ts`. */
  is_in_workspace: boolean
  may_read_project: boolean
  resources: { id: string; fullname: string; ready: boolean; maySendTo: boolean }[]
  history: {
    from: number
    to: number
    done: number
    state: 'running' | 'done' | 'failed'
    reason: string | null
  } | null
}
export type SubscriptionFields = {
  workspaceId: string
  projectId: string
  templateId: string | null
  topics: string[] | null
  values: Record<string, unknown> | null
  triggerId: string | null
  inputs: Record<string, unknown> | null
  conditions: Condition | null
  policy: Policy
  delivery: z.output<typeof DeliveryMode> | null
  overrides: Overrides | null
  meta: { title?: string }
  /** In the order of the payload. */
  resourceIds: string[]
}
export type SubscriptionFilter = { workspaceId?: string; projectId?: string; triggerId?: string }
export type SubscriptionCounts = { total: number; active: number; paused: number }

/** What decides which alerts a subscription makes. Without a trigger and a template it makes none. */
const contentColumns = ['topics', 'vals', 'inputs', 'conditions', 'policy', 'delivery', 'overrides']

/** The order of keys in JSON does not count. */
function same(column: string) {
  return sql`o.${sql.ref(column)}::jsonb is not distinct from s.${sql.ref(column)}::jsonb`
}

export function subscriptionsTable({ db }: Base) {
  return {
    /** Undefined when the subscription does not exist or the account may not see it; callers cannot tell which. */
    find(id: string, accountId: string): Promise<SubscriptionRow | undefined> {
      return visible(db, accountId).where('s.id', '=', id).executeTakeFirst()
    },
    /** Oldest first. A cursor is the last row's `seq`. */
    list(accountId: string, filter: SubscriptionFilter, page: PageQuery): Promise<RowPage<SubscriptionRow>> {
      const { workspaceId, projectId, triggerId } = filter
      const read = ({ after, limit: wanted }: PageQuery) => {
        const limit = wanted + 1
        const conditions = [
          ...equalTo({ workspace_id: workspaceId, project_id: projectId, trigger_id: triggerId }),
          ...(after === undefined ? [] : [sql`x.seq > ${after}`]),
        ]
        const visibleIds = firstVisibleIds(accountId, { conditions, limit, workspaceId })
        return visible(db, accountId).where('s.id', 'in', visibleIds).orderBy('s.seq').limit(limit).execute()
      }
      return readPage<SubscriptionRow>(page, (row) => row.seq, read)
    },
    /** Locks the row until the transaction ends. */
    async lock(id: string): Promise<void> {
      await db.selectFrom('subscriptions').select('id').where('id', '=', id).forUpdate().execute()
    },
    async add(accountId: string, fields: SubscriptionFields, at: Date): Promise<string> {
      const id = newId()
      await db
        .insertInto('subscriptions')
        .values({ id, account_id: accountId, ...columnsOf(fields), created_at: at, updated_at: at })
        .execute()
      await setResources(db, id, fields.resourceIds)
      return id
    },
    async update(id: string, fields: SubscriptionFields, at: Date): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set({ ...columnsOf(fields), version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
      await db.deleteFrom('subscription_resources').where('subscription_id', '=', id).execute()
      await setResources(db, id, fields.resourceIds)
    },
    /** Does nothing when the subscription already has this state, so its version stays. */
    /** The workspace of the subscription, or undefined if nothing changed. */
    async setPaused(id: string, paused: boolean, at: Date): Promise<string | undefined> {
      const row = await db
        .updateTable('subscriptions')
        .set({ paused, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .where('paused', '<>', paused)
        .returning('workspace_id')
        .executeTakeFirst()
      return row?.workspace_id
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('subscriptions').where('id', '=', id).execute()
    },
    /** Counts the subscriptions to the trigger, direct or through a rule of their template. */
    async countByTrigger(trigger: { id: string; fullname: string }): Promise<SubscriptionCounts> {
      const { rows } = await sql<SubscriptionCounts>`
        select count(*)::int as total, count(*) filter (where not paused)::int as active,
          count(*) filter (where paused)::int as paused
        from (select id, paused from subscriptions where trigger_id = ${trigger.id}
          union select s.id, s.paused from templates t join subscriptions s on s.template_id = t.id
          where t.rules::text like '%' || ${trigger.fullname} || '%' and exists (
            select from json_array_elements(t.rules) rule where rule->>'trigger' = ${trigger.fullname}
              and rule->>'topic' in (select json_array_elements_text(s.topics)))) chosen`.execute(db)
      return rows[0] ?? { total: 0, active: 0, paused: 0 }
    },
    /**
     * The triggers of the rules that these subscriptions chose by the topics of their template. A private trigger of
     * another workspace is left out, because the rule cannot use it.
     */
    async listRuleTriggers(ids: readonly string[]): Promise<Map<string, string[]>> {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<{ id: string; triggers: string[] }>`
        select s.id, array_agg(rule->>'trigger' order by rules.place) as triggers
        from subscriptions s join templates t on t.id = s.template_id join projects own on own.id = t.project_id
        cross join json_array_elements(t.rules) with ordinality rules (rule, place)
        join triggers used on used.fullname = rule->>'trigger' join projects p on p.id = used.project_id
        where s.id = any(${[...ids]}) and rule->>'topic' in (select json_array_elements_text(s.topics))
          and rule->>'deprecated' = 'false' and (p.workspace_id = own.workspace_id or p.access_level <> 'private')
        group by s.id`.execute(db)
      return new Map(rows.map(({ id, triggers }) => [id, triggers]))
    },
    /** The streams that the chosen trigger, or those of the chosen topics' rules, listen to. */
    async listStreams(chosen: Pick<SubscriptionFields, 'triggerId' | 'templateId' | 'topics'>): Promise<string[]> {
      const { rows } = await sql<{ stream: string }>`
        select t.definition->'backend'->>'trigger' as stream from triggers t
        where t.definition->>'triggerSpec' is null and t.definition->'backend'->>'trigger' is not null
          and (t.id = ${chosen.triggerId} or t.fullname in (
            select rule->>'trigger' from templates m cross join json_array_elements(m.rules) rule
            where m.id = ${chosen.templateId} and rule->>'topic' = any(${chosen.topics ?? []})))`.execute(db)
      return rows.map(({ stream }) => stream)
    },
    /** Another subscription of the account that makes the same alerts and sends them to the same resources. */
    async findSame(id: string): Promise<{ id: string; title: string | null } | undefined> {
      const { rows } = await sql<{ id: string; title: string | null }>`
        select o.id, o.meta->>'title' as title from subscriptions s join subscriptions o on o.account_id = s.account_id
          and o.id <> s.id and o.project_id = s.project_id and o.workspace_id = s.workspace_id
          and o.trigger_id is not distinct from s.trigger_id and o.template_id is not distinct from s.template_id
        where s.id = ${id} and not s.paused and not o.paused
          and ${sql.join(contentColumns.map(same), sql` and `)}
          and (select array_agg(resource_id order by resource_id) from subscription_resources where subscription_id = s.id)
            is not distinct from
            (select array_agg(resource_id order by resource_id) from subscription_resources where subscription_id = o.id)
        order by o.seq limit 1`.execute(db)
      return rows[0]
    },
    async countByProject(projectId: string): Promise<number> {
      const row = await db
        .selectFrom('subscriptions')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
  }
}

/** The only place that decides who sees a subscription: its account, and the owners and admins of its workspace. */
function visible(db: Kysely<Tables>, accountId: string) {
  return db
    .selectFrom('subscriptions as s')
    .innerJoin('workspaces as w', 'w.id', 's.workspace_id')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .leftJoin('triggers as t', 't.id', 's.trigger_id')
    .leftJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 's.workspace_id').on('m.account_id', '=', accountId),
    )
    .selectAll('s')
    .select(['w.fullname as workspace', 'p.fullname as project', 't.fullname as trigger'])
    .select(['a.name as account_name', 'm.level'])
    .select([isInWorkspace.as('is_in_workspace'), mayReadProject.as('may_read_project')])
    .select(
      sql<SubscriptionRow['resources']>`coalesce((
        select json_agg(json_build_object('id', r.id, 'fullname', r.fullname, 'ready', r.ready,
          'maySendTo', ${maySendTo}) order by x.position)
        from subscription_resources x join resources r on r.id = x.resource_id where x.subscription_id = s.id), '[]')`.as(
        'resources',
      ),
    )
    .select(
      sql<SubscriptionRow['history']>`(select json_build_object('from', h.from_block, 'to', h.to_block,
        'done', least(h.done, h.to_block), 'state', h.state, 'reason', h.reason) from histories h where h.subscription_id = s.id)`.as(
        'history',
      ),
    )
    .where((where) => where.or([where('s.account_id', '=', accountId), where('m.level', 'in', ['owner', 'admin'])]))
}

async function setResources(db: Kysely<Tables>, subscriptionId: string, resourceIds: string[]): Promise<void> {
  if (resourceIds.length === 0) return
  const rows = resourceIds.map((id, position) => ({ subscription_id: subscriptionId, resource_id: id, position }))
  await db.insertInto('subscription_resources').values(rows).execute()
}

function columnsOf(fields: SubscriptionFields) {
  return {
    workspace_id: fields.workspaceId,
    project_id: fields.projectId,
    template_id: fields.templateId,
    topics: jsonOrNull(fields.topics),
    vals: jsonOrNull(fields.values),
    trigger_id: fields.triggerId,
    inputs: jsonOrNull(fields.inputs),
    conditions: jsonOrNull(fields.conditions),
    policy: jsonOrNull(fields.policy),
    delivery: jsonOrNull(fields.delivery),
    overrides: jsonOrNull(fields.overrides),
    meta: json(fields.meta),
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : json(value)
}
