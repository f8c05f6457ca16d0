import { sql } from 'kysely'
import { type Base, newId } from '../core/base.ts'

/** A list with a hash of its type and addresses. */
export type ListToMove = { name: string; fullname: string; content: string }

/** Address lists in the transfer of a project: its conditions can name only lists of its own workspace. */
export function listMovesTable({ db }: Base) {
  return {
    /** The lists that the conditions of the project's triggers and templates name, sorted by name. */
    async listNamed(projectId: string): Promise<ListToMove[]> {
      const { rows } =
        await sql<ListToMove>`${lists} where w.id = (select workspace_id from projects where id = ${projectId})
        and l.fullname in (
          select jsonb_path_query(definition::jsonb, '$.conditions.**.list') #>> '{}' from triggers
            where project_id = ${projectId}
          union select jsonb_path_query(rules::jsonb, '$[*].conditions.**.list') #>> '{}' from templates
            where project_id = ${projectId})
        order by l.fullname for key share of l`.execute(db)
      return rows
    },
    async listOf(workspace: string): Promise<ListToMove[]> {
      return (await sql<ListToMove>`${lists} where w.fullname = ${workspace}`.execute(db)).rows
    },
    /** Copies a list to another workspace. A list that is there already stays as it is. */
    async copy(from: string, to: { fullname: string; workspaceId: string }, at: Date): Promise<void> {
      const name = to.fullname.slice(to.fullname.indexOf('.') + 1)
      await sql`insert into address_lists
          (id, workspace_id, name, fullname, type, addresses, count, meta, created_at, updated_at)
        select ${newId()}, ${to.workspaceId}, ${name}, ${to.fullname}, type, addresses, count, meta,
          ${at}::timestamptz, ${at}::timestamptz
        from address_lists where fullname = ${from} on conflict (fullname) do nothing`.execute(db)
    },
  }
}

const lists = sql`select l.name, l.fullname, md5(l.type || l.addresses::text) as content
  from address_lists l join workspaces w on w.id = l.workspace_id`
