import { type DefinitionKind, stackLabel } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Base, type PageQuery, pageOf } from '../core/base.ts'

/** A stack of a workspace. */
export type StackOf = { workspaceId: string; stack: string }
export type StackRow = { stack: string; entities_count: number; applied_at: Date | null }
/** What the last apply of a stack wrote for one entity. */
export type AppliedEntity = { kind: DefinitionKind; name: string; payload: Record<string, unknown> }

const ofLabels = (table: string) => sql`${sql.table(table)}.labels->>${sql.lit(stackLabel)}`
const ownProjects = (workspaceId: string) =>
  sql`project_id in (select id from projects where workspace_id = ${workspaceId})`

/** An entity that belongs to a stack. Templates and subscriptions are named by their key. */
export type StackEntityRow = { stack: string; kind: DefinitionKind; name: string; id: string; project: string | null }
/** Whose subscriptions count: those of one account, or all. */
export type SubscriptionsOf = { accountId: string } | 'everybody'

type Members = (workspaceId: string, subscriptionsOf: SubscriptionsOf) => RawBuilder<unknown>
const ofWorkspace =
  (table: string, stack = sql.ref('stack')): Members =>
  (workspaceId) =>
    sql`select ${stack} as stack, fullname as name, id, null as project from ${sql.table(table)} where workspace_id = ${workspaceId}`

/** Selects stack, name, id and project of the entities of a workspace. The stack is null if an entity belongs to none. */
const members: Record<DefinitionKind, Members> = {
  project: ofWorkspace('projects', ofLabels('projects')),
  trigger: (workspaceId) =>
    sql`select ${ofLabels('triggers')} as stack, fullname as name, id, null as project from triggers where ${ownProjects(workspaceId)}`,
  resource: ofWorkspace('resources', ofLabels('resources')),
  source: ofWorkspace('custom_sources'),
  'address-list': ofWorkspace('address_lists'),
  template: (workspaceId) => sql`select t.stack, t.key as name, t.id, p.fullname as project
    from templates t join projects p on p.id = t.project_id where p.workspace_id = ${workspaceId}`,
  subscription: (workspaceId, of) => sql`select stack, key as name, id, null as project
    from subscriptions where workspace_id = ${workspaceId}
    ${of === 'everybody' ? sql`` : sql`and account_id = ${of.accountId}`}`,
}

/** The entities of a workspace that belong to stacks, of every kind. */
function allMembers(workspaceId: string, of: SubscriptionsOf): RawBuilder<unknown> {
  const selects = Object.entries(members).map(
    ([kind, select]) =>
      sql`select stack collate "C" as stack, ${sql.lit(kind)} as kind, name, id, project
        from (${select(workspaceId, of)}) entity where stack is not null`,
  )
  return sql.join(selects, sql` union all `)
}

/** Which entities belong to a stack, and what its last apply wrote. */
export function stacksTable({ db, box }: Base) {
  return {
    /** Locks until the transaction ends, so that the applies of a workspace follow each other. */
    async lock(workspaceId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`stacks of ${workspaceId}`}, 0))`.execute(db)
    },
    async listNames(kind: DefinitionKind, of: StackOf): Promise<string[]> {
      const { workspaceId, stack } = of
      const { rows } = await sql<{ name: string }>`select name
        from (${members[kind](workspaceId, 'everybody')}) entity where stack = ${stack}`.execute(db)
      return rows.map(({ name }) => name).sort()
    },
    /** The stacks of a workspace in the order of their names. */
    async list(workspaceId: string, of: SubscriptionsOf, page: PageQuery) {
      const { rows } = await sql<StackRow>`select stack, count(*)::int as entities_count, (select max(applied_at)
          from stack_entities e where e.workspace_id = ${workspaceId} and e.stack = entity.stack) as applied_at
        from (${allMembers(workspaceId, of)}) entity
        where stack > ${page.after ?? ''} group by stack order by stack limit ${page.limit + 1}`.execute(db)
      return pageOf(rows, page.limit, ({ stack }) => stack)
    },
    async listEntities({ workspaceId, stack }: StackOf, of: SubscriptionsOf): Promise<StackEntityRow[]> {
      const { rows } = await sql<StackEntityRow>`select stack, kind, name, id, project
        from (${allMembers(workspaceId, of)}) entity where stack = ${stack}`.execute(db)
      return rows.toSorted((one, other) => (one.kind + one.name < other.kind + other.name ? -1 : 1))
    },
    async findAppliedAt({ workspaceId, stack }: StackOf): Promise<Date | null> {
      const row = await db
        .selectFrom('stack_entities')
        .select(({ fn }) => fn.max('applied_at').as('applied_at'))
        .where('workspace_id', '=', workspaceId)
        .where('stack', '=', stack)
        .executeTakeFirst()
      return row?.applied_at ?? null
    },
    findTemplate({ workspaceId, stack }: StackOf, key: string) {
      return db
        .selectFrom('templates as t')
        .innerJoin('projects as p', 'p.id', 't.project_id')
        .select(['t.id', 't.project_id', 'p.fullname as project'])
        .where('p.workspace_id', '=', workspaceId)
        .where('t.stack', '=', stack)
        .where('t.key', '=', key)
        .executeTakeFirst()
    },
    /** The key of a template of the stack; undefined for any other template. */
    async findTemplateKey({ workspaceId, stack }: StackOf, id: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('templates as t')
        .innerJoin('projects as p', 'p.id', 't.project_id')
        .select('t.key')
        .where('t.id', '=', id)
        .where('p.workspace_id', '=', workspaceId)
        .where('t.stack', '=', stack)
        .executeTakeFirst()
      return row?.key ?? undefined
    },
    findSubscription({ workspaceId, stack }: StackOf, key: string) {
      return db
        .selectFrom('subscriptions')
        .select(['id', 'account_id'])
        .where('workspace_id', '=', workspaceId)
        .where('stack', '=', stack)
        .where('key', '=', key)
        .executeTakeFirst()
    },
    async markNamed(table: 'custom_sources' | 'address_lists', fullname: string, stack: string): Promise<void> {
      await db.updateTable(table).set({ stack }).where('fullname', '=', fullname).execute()
    },
    async markKeyed(table: 'templates' | 'subscriptions', id: string, stack: string, key: string): Promise<void> {
      await db.updateTable(table).set({ stack, key }).where('id', '=', id).execute()
    },
    /** A project that moves to another workspace leaves its stack, with everything in it. */
    async release(projectId: string): Promise<void> {
      const dropLabel = (table: string, column: string) => sql`update ${sql.table(table)}
        set labels = (labels::jsonb - ${stackLabel})::json
        where ${sql.ref(column)} = ${projectId} and ${ofLabels(table)} is not null`
      await sql`with project as (${dropLabel('projects', 'id')}), trigger as (${dropLabel('triggers', 'project_id')}),
        resource as (${dropLabel('resources', 'project_id')})
        update templates set stack = null, key = null where project_id = ${projectId} and stack is not null`.execute(db)
    },
    /** What a project holds. Deleting the project would delete it too. */
    async countContents(projectId: string) {
      const { rows } = await sql<{
        triggers: number
        templates: number
        resources: number
        subscriptions: number
      }>`select
        (select count(*)::int from triggers where project_id = ${projectId}) as triggers,
        (select count(*)::int from templates where project_id = ${projectId}) as templates,
        (select count(*)::int from resources where project_id = ${projectId}) as resources,
        (select count(*)::int from subscriptions where project_id = ${projectId}) as subscriptions`.execute(db)
      return rows[0] ?? { triggers: 0, templates: 0, resources: 0, subscriptions: 0 }
    },
    async listApplied({ workspaceId, stack }: StackOf): Promise<AppliedEntity[]> {
      const rows = await db
        .selectFrom('stack_entities')
        .select(['kind', 'name', 'payload'])
        .where('workspace_id', '=', workspaceId)
        .where('stack', '=', stack)
        .orderBy('kind')
        .orderBy('name')
        .execute()
      return rows.map(({ kind, name, payload }) => ({ kind, name, payload: box.openJson(payload) }))
    },
    /** Replaces everything that the last apply of the stack left. */
    async replaceApplied({ workspaceId, stack }: StackOf, entities: readonly AppliedEntity[], at: Date): Promise<void> {
      await db.deleteFrom('stack_entities').where('workspace_id', '=', workspaceId).where('stack', '=', stack).execute()
      if (entities.length === 0) return
      const rows = entities.map(({ kind, name, payload }) => ({ kind, name, payload: box.sealJson(payload) }))
      await db
        .insertInto('stack_entities')
        .values(rows.map((row) => ({ workspace_id: workspaceId, stack, ...row, applied_at: at })))
        .execute()
    },
  }
}
