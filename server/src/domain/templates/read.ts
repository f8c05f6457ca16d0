import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import type { TemplateRow } from '../../store/projects/templates.ts'
import type { DescribedTriggerRow } from '../../store/triggers/described-triggers.ts'
import { requireReadableProject } from '../access.ts'
import { Page, requireSeqCursor, Tagged, tagOf } from '../answers.ts'
import { conditionIssue, policyIssue } from '../field-issues.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { stackMark } from '../stack-mark.ts'

export const listTemplates: Handler<'listTemplates'> = async ({ account, params, query, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  const page = { limit: query.limit, after: requireSeqCursor(query.cursor) }
  const { rows, next } = await store.templates.list(project.id, page)
  return new Page(await templateViews(store, project, rows), next)
}

export const getRootTemplate: Handler<'getRootTemplate'> = async ({ account, params, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  const row = await store.templates.findRoot(project.id)
  if (!row) throw notFound(`The project "${project.fullname}" has no template.`)
  return new Tagged(await templateView(store, project, row), tagOf(row))
}

export const getTemplate: Handler<'getTemplate'> = async ({ account, params, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  const row = await store.templates.find(project.id, params.id)
  if (!row) throw notFound('There is no such template.')
  return new Tagged(await templateView(store, project, row), tagOf(row))
}

/** The issues of rules are computed on every read, so that they disappear when the trigger is created or changed. */
export async function templateViews(store: Store, project: ReadableProject, rows: TemplateRow[]) {
  const triggers = await triggersOf(store, project, rows)
  return rows.map((row) => viewOf(row, project.fullname, triggers))
}

export async function templateView(store: Store, project: ReadableProject, row: TemplateRow) {
  return viewOf(row, project.fullname, await triggersOf(store, project, [row]))
}

type Triggers = { known: Set<string>; described: Map<string, DescribedTriggerRow> }

async function triggersOf(store: Store, project: ReadableProject, rows: TemplateRow[]): Promise<Triggers> {
  const rules = rows.flatMap((row) => row.rules)
  const named = new Set(rules.map(({ trigger }) => trigger))
  const known = await store.templates.knownTriggers(project.workspace_id, [...named])
  const judged = rules.flatMap(({ trigger, conditions, policy }) =>
    (conditions || policy) && known.has(trigger) ? [trigger] : [],
  )
  return { known, described: await store.describedTriggers.find([...new Set(judged)]) }
}

function viewOf(row: TemplateRow, project: string, { known, described }: Triggers) {
  const judged = row.rules.map((rule) => judge(rule, { known, described }))
  const rules = row.rules.map((rule, at) => ({ ...rule, ...(judged[at] && { issue: judged[at].issue }) }))
  const issue = templateIssue((doubt) => row.rules.flatMap(({ id }, at) => (judged[at]?.doubt === doubt ? id : [])))
  return {
    id: row.id,
    project,
    root: row.root,
    schema: row.schema,
    groups: row.groups,
    topics: row.topics,
    rules,
    meta: row.meta,
    ...(row.key !== null && { key: row.key }),
    ...stackMark(row.stack),
    ...(issue !== undefined && { issue }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

type Judged = { doubt: keyof typeof sentences; issue: string }

/** What is wrong with a rule; undefined if nothing is. */
function judge(rule: TemplateRow['rules'][number], { known, described }: Triggers): Judged | undefined {
  if (!known.has(rule.trigger))
    return { doubt: 'trigger', issue: `There is no trigger "${rule.trigger}" that this project can use.` }
  const found = described.get(rule.trigger)
  const ofConditions = conditionIssue(rule.conditions, found)
  if (ofConditions !== undefined) return { doubt: 'conditions', issue: ofConditions }
  const ofPolicy = policyIssue(rule.policy ?? undefined, found)
  return ofPolicy === undefined ? undefined : { doubt: 'policy', issue: ofPolicy }
}

const sentences = {
  trigger: 'Not subscribable until their triggers exist',
  conditions: 'Conditions that may never be true',
  policy: 'Policies that name unknown fields',
}

function templateIssue(rulesWith: (doubt: Judged['doubt']) => string[]): string | undefined {
  const found = (['trigger', 'conditions', 'policy'] as const).flatMap((doubt) => {
    const ids = rulesWith(doubt)
    return ids.length > 0 ? `${sentences[doubt]}: ${ids.join(', ')}.` : []
  })
  return found.length > 0 ? found.join(' ') : undefined
}
