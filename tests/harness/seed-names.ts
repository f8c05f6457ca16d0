/** Fills every list except alerts and logs with copies of one row, for tests of lists. */
import type { Client } from '@tocsin/sdk'
import type pg from 'pg'
import { project, resource, template } from './records.ts'

/**
 * `owner` owns the workspace `busy` with its project `busy.app`; `stranger` gets a workspace whose name comes before, with
 * as many private projects, triggers, resources and sources. The project `busy.zoo` has many triggers and templates.
 */
export async function seedNames(
  database: pg.ClientBase,
  owner: Client,
  stranger: Client,
  count: number,
): Promise<void> {
  await stranger.saveWorkspace({ fullname: 'a-stranger', body: { fullname: 'a-stranger' } })
  await owner.saveProject({ fullname: 'busy.closed', body: project('busy.closed') })
  await owner.saveProject({ fullname: 'busy.zoo', body: project('busy.zoo') })
  await owner.createAccessLink({ fullname: 'busy.closed' })
  await owner.createAddon({ fullname: 'busy.app', body: { name: 'extra' } })
  await owner.createTemplate({ fullname: 'busy.zoo', body: template('busy.zoo') })
  await owner.saveResource({ fullname: 'busy.hook', body: resource('busy.hook') })
  const copies = (text: string) => database.query(text.replaceAll('COUNT', `generate_series(1, ${count}) n`))
  const named = `w.fullname || '.n' || lpad(n::text, 6, '0')`
  const names = `gen_random_uuid()::text, w.id, 'n' || n, ${named}`
  const workspaces = `(select * from workspaces where fullname in ('busy', 'a-stranger')) w, COUNT`
  await copies(`insert into projects (id, workspace_id, name, fullname, access_level, visibility, tags, labels, meta, created_at, updated_at)
    select ${names}, access_level, visibility, p.tags, p.labels, p.meta, now(), now() from projects p, ${workspaces}
    where p.fullname = 'busy.closed'`)
  await copies(`insert into triggers (id, project_id, name, fullname, definition, providers, status, tags, labels, meta, created_at, updated_at)
    select gen_random_uuid()::text, p.id, 't', p.fullname || '.t', definition, providers, status, t.tags, t.labels, t.meta, now(), now()
    from triggers t, projects p where t.fullname = 'busy.app.common' and p.name like 'n%'
    union all select gen_random_uuid()::text, p.id, 'n' || n, 'busy.zoo.n' || n, definition, providers, status, t.tags, t.labels, t.meta, now(), now()
    from triggers t, projects p, COUNT where t.fullname = 'busy.app.common' and p.fullname = 'busy.zoo' `)
  await copies(`insert into resources (id, workspace_id, name, fullname, project_id, blueprint, ready, data, tags, labels, meta, created_at, updated_at)
    select ${names}, case when w.fullname = 'busy' then a.id end, blueprint, ready, data, r.tags, r.labels, r.meta, now(), now()
    from resources r, projects a, ${workspaces} where r.fullname = 'busy.hook' and a.fullname = 'busy.app'`)
  await copies(`insert into custom_sources (id, workspace_id, name, fullname, public, kind, endpoints, settings, meta, status, revision, created_at, updated_at)
    select ${names}, false, kind, endpoints, settings, s.meta, status, 1, now(), now()
    from custom_sources s, ${workspaces} where s.fullname = 'busy.chain'`)
  await seedPeople(copies)
  await seedOfProject(copies)
  await database.query('analyze')
}

type Copies = (text: string) => Promise<unknown>

async function seedPeople(copies: Copies): Promise<void> {
  await copies(`insert into accounts (id, email, email_key, name, created_at, updated_at)
    select 'many-' || n, n || '@many', n || '@many', 'Many', now(), now() from COUNT`)
  await copies(`insert into members (id, workspace_id, account_id, level, created_at, updated_at)
    select gen_random_uuid()::text, id, 'many-' || n, 'user', now(), now() from workspaces, COUNT where fullname = 'busy'`)
  await copies(`insert into tokens (id, account_id, kind, name, hash, created_at)
    select gen_random_uuid()::text, m.account_id, kind, 'many', sha256((kind || n)::bytea), now()
    from members m join workspaces w on w.id = m.workspace_id, (values ('session'), ('personal')) k (kind), COUNT
    where w.fullname = 'busy' and m.level = 'owner'`)
  await copies(`insert into addresses (id, account_id, type, address, normal, alias, created_at, updated_at)
    select gen_random_uuid()::text, m.account_id, 'plain', 'at ' || n, 'at ' || n, 'alias ' || n, now(), now()
    from members m join workspaces w on w.id = m.workspace_id, COUNT where w.fullname = 'busy' and m.level = 'owner'`)
}

async function seedOfProject(copies: Copies): Promise<void> {
  await copies(`insert into access_links (id, project_id, hash, token, created_at, updated_at)
    select gen_random_uuid()::text, project_id, sha256(n::text::bytea), token, now(), now() from access_links, COUNT`)
  await copies(`insert into addons (id, project_id, name, state, created_at, updated_at)
    select gen_random_uuid()::text, project_id, name, 'canceled', now(), now() from addons, COUNT`)
  await copies(`insert into templates (id, project_id, schema, groups, topics, rules, meta, created_at, updated_at)
    select gen_random_uuid()::text, project_id, schema, groups, topics, rules, meta, now(), now() from templates, COUNT
    union all select gen_random_uuid()::text, p.id, schema, groups, topics, rules, t.meta, now(), now()
    from templates t, projects p where p.name like 'n%'`)
  await copies(`insert into project_secrets (id, project_id, name, value, created_at, updated_at)
    select gen_random_uuid()::text, id, 's' || n, '', now(), now() from projects, COUNT where fullname = 'busy.app'`)
  await copies(`insert into transfers (id, project, source_workspace_id, source_workspace, target_workspace, target_name,
      target_fullname, status, plan_hash, counts, requested_by, expires_at, created_at, updated_at)
    select gen_random_uuid()::text, 'busy.gone', id, 'busy', 'other', 'gone', 'other.gone',
      case when n % 100 = 0 then 'failed' else 'cancelled' end, 'x',
      '{"triggers":0,"templates":0,"resources":0,"subscriptions":0,"accessLinks":0,"aliases":0,"conflicts":0}',
      'someone', now(), now() - n * interval '1 second', now() from workspaces, COUNT where fullname = 'busy'`)
}
