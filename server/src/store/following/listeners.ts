import type { TemplateRule } from '@tocsin/contract'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Base } from '../core/base.ts'
import type { SecretBox } from '../core/secret-box.ts'
import { plannedAnew } from '../core/statements.ts'
import type { TriggerDefinition } from '../core/tables.ts'

/**
 * A subscription that may create alerts now: it is not paused, its account is a member of its workspace and may read its
 * project. JSON stays text, because most subscriptions have equal texts and the reader parses each text once.
 */
export type LiveSubscription = {
  id: string
  account_id: string
  workspace_id: string
  project_id: string
  template_id: string | null
  trigger_id: string | null
  topics: string | null
  vals: string | null
  inputs: string | null
  conditions: string | null
  policy: string | null
  delivery: string | null
  overrides: string | null
  /** The resources in workspaces where the account is a member. */
  resources: string
  /** Its account is a developer or above in the workspace of its project, so it may read that workspace's health. */
  may_read_health: boolean
  /** While it runs over past blocks: their source, as JSON. */
  history: string | null
  updated_at: Date
}
export type TriggerToRun = {
  id: string
  version: number
  fullname: string
  title: string
  runbook?: string | null
  project: string
  project_id: string
  workspace_id: string
  /** True if everybody may read its project. */
  is_public: boolean
  data_source: string | null
  definition: TriggerDefinition
  providers: Record<string, unknown>[]
}
export type TemplateToExpand = { id: string; workspace_id: string; rules: z.output<typeof TemplateRule>[] }

/** The entities whose change may affect subscriptions. */
export type ChangedEntities = Partial<Record<'templates' | 'projects' | 'accounts', readonly string[]>>

export function listenersTable({ db, box }: Pick<Base, 'db' | 'box'>) {
  return {
    /** The ids of all subscriptions after one id, active or not. */
    async listIds(after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    async find(ids: readonly string[]): Promise<LiveSubscription[]> {
      return (await live(sql`s.id = any(${ids})`).execute(db)).rows
    },
    /** Ignores the pause, for a test of the subscription. */
    async findToTest(id: string): Promise<LiveSubscription | undefined> {
      return (await live(sql`s.id = ${id}`, sql`true`).execute(db)).rows[0]
    },
    async findAffected({ templates = [], projects = [], accounts = [] }: ChangedEntities): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select id from subscriptions where template_id = any(${templates}) or account_id = any(${accounts})
          or project_id = any(${projects}) or id in (
            select x.subscription_id from subscription_resources x join resources r on r.id = x.resource_id
            where r.project_id = any(${projects}))`.execute(db)
      return rows.map(({ id }) => id)
    },
    async findTriggers(ids: readonly string[], fullnames: readonly string[]): Promise<TriggerToRun[]> {
      const { rows } = await sql<Omit<TriggerToRun, 'providers'> & { providers: Buffer }>`
        select t.id, t.version, t.fullname, t.meta->>'title' as title, t.meta->>'runbook' as runbook,
          p.fullname as project, t.project_id, p.workspace_id,
          p.access_level <> 'private' as is_public, t.data_source, t.definition, t.providers
        from triggers t join projects p on p.id = t.project_id
        where t.id = any(${ids}) or t.fullname = any(${fullnames})`.execute(db)
      return rows.map((row) => ({ ...row, providers: openProviders(box, row.providers) }))
    },
    /** The subscriptions to a trigger on this stream, direct or through a rule of their template. */
    async findByStream(stream: string): Promise<LiveSubscription[]> {
      const streamTriggers = sql`select t.id, t.fullname from triggers t
        where t.definition->'backend'->>'trigger' = ${stream} and t.definition->>'triggerSpec' is null`
      const chosen = sql`s.trigger_id in (select id from (${streamTriggers}) x) or s.template_id in (
        select m.id from templates m, json_array_elements(m.rules) rule
        where rule->>'trigger' in (select fullname from (${streamTriggers}) x))`
      return (await live(sql`(${chosen})`).execute(db)).rows
    },
    async findTriggersOfProjects(projects: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('triggers')
        .select('id')
        .where('project_id', '=', sql<string>`any(${projects})`)
        .execute()
      return rows.map(({ id }) => id)
    },
    async findTemplates(ids: readonly string[]): Promise<TemplateToExpand[]> {
      const { rows } = await sql<TemplateToExpand>`
        select t.id, p.workspace_id, t.rules from templates t join projects p on p.id = t.project_id
        where t.id = any(${ids})`.execute(db)
      return rows
    },
  }
}

function openProviders(box: SecretBox, sealed: Buffer): Record<string, unknown>[] {
  return box.openJson(sealed)
}

/**
 * The resources are looked up one by one (`offset 0` keeps this order): as a join PostgreSQL compared each of 10,000 new
 * subscriptions with each other, or with all resources of its workspace. A plan that was made for small tables would read the
 * tables as a whole for each subscription, so each call gets its own.
 */
function live(which: ReturnType<typeof sql>, isActive = sql`not s.paused`) {
  return sql<LiveSubscription>`${sql.raw(plannedAnew)}
    select s.id, s.account_id, s.workspace_id, s.project_id, s.template_id, s.trigger_id, s.topics::text, s.vals::text,
      s.inputs::text, s.conditions::text, s.policy::text, s.delivery::text, s.overrides::text, s.updated_at,
      coalesce(r.resources, '[]')::text as resources,
      exists (select from members m where m.workspace_id = p.workspace_id and m.account_id = s.account_id
        and m.level <> 'user') as may_read_health,
      (select json_build_object('source', h.source)::text from histories h
        where h.subscription_id = s.id and h.state = 'running') as history
    from subscriptions s join projects p on p.id = s.project_id left join lateral (
      select json_agg(json_build_object('id', r.id, 'fullname', r.fullname, 'blueprint', r.blueprint)
        order by x.position) as resources
      from subscription_resources x cross join lateral (
        select r.id, r.fullname, r.blueprint, r.workspace_id from resources r where r.id = x.resource_id offset 0) r
      where x.subscription_id = s.id and ${maySendTo}) r on true
    where ${isActive}
      and ${isInWorkspace} and ${mayReadProject} and ${which}
    order by s.id`
}

/**
 * What the account of a subscription `s` may use now, for many subscriptions at once. A subscription is live only while its
 * account is a member of its workspace and may read its project, and sends only to resources of workspaces of its account.
 */
export const isInWorkspace = sql<boolean>`exists (
  select from members m where m.workspace_id = s.workspace_id and m.account_id = s.account_id)`

/** On a project `p`. `projects.ts` defines who may read a project; this is the same rule. */
export const mayReadProject = sql<boolean>`(p.access_level <> 'private'
  or exists (select from members m where m.workspace_id = p.workspace_id and m.account_id = s.account_id)
  or (p.visibility = 'private_link' and exists (
    select from access_link_openings o join access_links l on l.id = o.link_id
    where l.project_id = p.id and l.revoked_at is null and o.account_id = s.account_id)))`

/** On a resource `r`. */
export const maySendTo = sql<boolean>`exists (
  select from members m where m.workspace_id = r.workspace_id and m.account_id = s.account_id)`
