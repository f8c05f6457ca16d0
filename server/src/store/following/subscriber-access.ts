import { sql } from 'kysely'

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
