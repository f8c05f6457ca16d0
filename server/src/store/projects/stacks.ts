import { type DefinitionKind, stackLabel } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** A stack of a workspace. */
export type StackOf = { workspaceId: string; stack: string }
/** What the last apply of a stack wrote for one entity. */
export type AppliedEntity = { kind: DefinitionKind; name: string; payload: Record<string, unknown> }

const ofLabels = (table: string) => sql`${sql.table(table)}.labels->>${sql.lit(stackLabel)}`
const ownProjects = (workspaceId: string) =>
  sql`project_id in (select id from projects where workspace_id = ${workspaceId})`

/** The names of the entities of a stack. Templates and subscriptions are named by their key. */
const members: Record<DefinitionKind, (of: StackOf) => RawBuilder<{ name: string }>> = {
  project: ({ workspaceId, stack }) =>
    sql`select fullname as name from projects where workspace_id = ${workspaceId} and ${ofLabels('projects')} = ${stack}`,
  trigger: ({ workspaceId, stack }) =>
    sql`select fullname as name from triggers where ${ownProjects(workspaceId)} and ${ofLabels('triggers')} = ${stack}`,
  resource: ({ workspaceId, stack }) =>
    sql`select fullname as name from resources where workspace_id = ${workspaceId} and ${ofLabels('resources')} = ${stack}`,
  source: ({ workspaceId, stack }) =>
    sql`select fullname as name from custom_sources where workspace_id = ${workspaceId} and stack = ${stack}`,
  'address-list': ({ workspaceId, stack }) =>
    sql`select fullname as name from address_lists where workspace_id = ${workspaceId} and stack = ${stack}`,
  template: ({ workspaceId, stack }) =>
    sql`select key as name from templates where ${ownProjects(workspaceId)} and stack = ${stack}`,
  subscription: ({ workspaceId, stack }) =>
    sql`select key as name from subscriptions where workspace_id = ${workspaceId} and stack = ${stack}`,
}

/** Which entities belong to a stack, and what its last apply wrote. */
export function stacksTable({ db, box }: Base) {
  return {
    /** Locks until the transaction ends, so that the applies of a workspace follow each other. */
    async lock(workspaceId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`stacks of ${workspaceId}`}, 0))`.execute(db)
    },
    async listNames(kind: DefinitionKind, of: StackOf): Promise<string[]> {
      const { rows } = await members[kind](of).execute(db)
      return rows.map(({ name }) => name).sort()
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
