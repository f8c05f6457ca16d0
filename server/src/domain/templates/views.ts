import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import type { TemplateRow } from '../../store/projects/templates.ts'
import type { DescribedTriggerRow } from '../../store/triggers/described-triggers.ts'
import { conditionIssue } from '../field-issues.ts'
import { stackMark } from '../stack-mark.ts'

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
  const judged = rules.flatMap(({ trigger, conditions }) => (conditions && known.has(trigger) ? [trigger] : []))
  return { known, described: await store.describedTriggers.find([...new Set(judged)]) }
}

function viewOf(row: TemplateRow, project: string, { known, described }: Triggers) {
  const unbound = row.rules.filter((rule) => !known.has(rule.trigger)).map(({ id }) => id)
  const rules = row.rules.map((rule) => {
    const issue = known.has(rule.trigger)
      ? conditionIssue(rule.conditions, described.get(rule.trigger))
      : ruleIssue(rule.trigger)
    return issue === undefined ? rule : { ...rule, issue }
  })
  const doubtful = rules.filter((rule) => 'issue' in rule && !unbound.includes(rule.id)).map(({ id }) => id)
  const issue = templateIssue(unbound, doubtful)
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

function ruleIssue(trigger: string): string {
  return `There is no trigger "${trigger}" that this project can use.`
}

function templateIssue(unbound: string[], doubtful: string[]): string | undefined {
  const sentences = [
    ...(unbound.length > 0 ? [`Not subscribable until their triggers exist: ${unbound.join(', ')}.`] : []),
    ...(doubtful.length > 0 ? [`Conditions that may never be true: ${doubtful.join(', ')}.`] : []),
  ]
  return sentences.length > 0 ? sentences.join(' ') : undefined
}
