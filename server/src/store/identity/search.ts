import type { SearchKind } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'

export type Found = { kind: SearchKind; name: string; title: string | null; workspace: string | null }
export type Search = { accountId: string; text: string; workspaceId?: string | undefined; limit: number }

type Sql = RawBuilder<unknown>
/** A kind of entities: what its rows show, the texts that are searched, and where they are. */
type Noun = { kind: SearchKind; name: Sql; title: Sql; texts: Sql[]; workspace: Sql; from: Sql }

/**
 * Finds entities by a part of their name or title. It reads the entities of the account's own workspaces by their indexes, so
 * its cost does not depend on how many entities others have.
 */
export function searchTable({ db }: Base) {
  return {
    /** Names and titles that begin with the text come first. */
    async find({ accountId, text, workspaceId, limit }: Search): Promise<Found[]> {
      const literal = text.replaceAll(/[\\%_]/g, '\\$&')
      const [within, prefix] = [`%${literal}%`, `${literal}%`]
      const anyLike = (texts: readonly Sql[], pattern: string) =>
        sql`(${sql.join(
          texts.map((each) => sql`coalesce(${each} ilike ${pattern}, false)`),
          sql` or `,
        )})`
      const parts = nounsOf(accountId, workspaceId !== undefined).map(
        ({ kind, name, title, texts, workspace, from }) =>
          sql`(select ${sql.lit(kind)} as kind, ${name} as name, ${title} as title, ${workspace} as workspace,
              ${anyLike(texts, prefix)} as is_prefix
            from ${from} and ${anyLike(texts, within)} order by 5 desc, 2 limit ${sql.lit(limit)})`,
      )
      const { rows } = await sql<Found>`
        with mine as materialized (select m.workspace_id, m.level, w.fullname as workspace, w.meta from members m
          join workspaces w on w.id = m.workspace_id where m.account_id = ${accountId}
          ${workspaceId === undefined ? sql`` : sql`and m.workspace_id = ${workspaceId}`})
        select kind, name, title, workspace from (${sql.join(parts, sql` union all `)}) found
        order by is_prefix desc, name`.execute(db)
      return rows
    },
  }
}

const titleOf = (row: string) => sql`${sql.ref(`${row}.meta`)}->>'title'`
const ofWorkspace = (kind: SearchKind, table: string): Noun => ({
  kind,
  name: sql`x.fullname`,
  title: titleOf('x'),
  texts: [sql`x.fullname`, titleOf('x')],
  workspace: sql`mine.workspace`,
  from: sql`mine join ${sql.table(table)} x on x.workspace_id = mine.workspace_id where true`,
})

/** The account's own address book belongs to no workspace: a search in one workspace leaves it out. */
function nounsOf(accountId: string, isInWorkspace: boolean): Noun[] {
  return [...nounsOfWorkspaces(accountId), ...(isInWorkspace ? [] : [addressBookOf(accountId)])]
}

const addressBook: Pick<Noun, 'kind' | 'name' | 'title' | 'texts'> = {
  kind: 'address',
  name: sql`x.id`,
  title: sql`x.alias`,
  texts: [sql`x.alias`, sql`x.address`],
}

function addressBookOf(accountId: string): Noun {
  return { ...addressBook, workspace: sql`null`, from: sql`addresses x where x.account_id = ${accountId}` }
}

function nounsOfWorkspaces(accountId: string): Noun[] {
  return [
    {
      kind: 'workspace',
      name: sql`mine.workspace`,
      title: titleOf('mine'),
      texts: [sql`mine.workspace`, titleOf('mine')],
      workspace: sql`mine.workspace`,
      from: sql`mine where true`,
    },
    {
      ...addressBook,
      workspace: sql`mine.workspace`,
      from: sql`mine join addresses x on x.workspace_id = mine.workspace_id where true`,
    },
    ofWorkspace('project', 'projects'),
    ofWorkspace('resource', 'resources'),
    ofWorkspace('source', 'custom_sources'),
    ofWorkspace('address-list', 'address_lists'),
    {
      kind: 'trigger',
      name: sql`x.fullname`,
      title: titleOf('x'),
      texts: [sql`x.fullname`, titleOf('x')],
      workspace: sql`mine.workspace`,
      from: sql`mine join projects p on p.workspace_id = mine.workspace_id join triggers x on x.project_id = p.id where true`,
    },
    {
      kind: 'subscription',
      name: sql`x.id`,
      title: sql`coalesce(${titleOf('x')}, ${titleOf('t')})`,
      texts: [titleOf('x'), titleOf('t'), sql`t.fullname`],
      workspace: sql`mine.workspace`,
      from: sql`mine join subscriptions x on x.workspace_id = mine.workspace_id left join triggers t on t.id = x.trigger_id
        where (x.account_id = ${accountId} or mine.level in ('owner', 'admin'))`,
    },
  ]
}
