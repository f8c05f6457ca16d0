import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects.ts'
import type { TemplateRow } from '../../store/templates.ts'

/** Whether a rule's trigger exists is asked when the template is read, so that the issue goes when the trigger comes. */
export async function templateViews(store: Store, project: ReadableProject, rows: TemplateRow[]) {
  const named = new Set(rows.flatMap((row) => row.rules.map((rule) => rule.trigger)))
  const known = await store.templates.knownTriggers(project.workspace_id, [...named])
  return rows.map((row) => viewOf(row, project.fullname, known))
}

export async function templateView(store: Store, project: ReadableProject, row: TemplateRow) {
  const named = row.rules.map((rule) => rule.trigger)
  return viewOf(row, project.fullname, await store.templates.knownTriggers(project.workspace_id, named))
}

function viewOf(row: TemplateRow, project: string, known: Set<string>) {
  const unbound = row.rules.filter((rule) => !known.has(rule.trigger))
  return {
    id: row.id,
    project,
    root: row.root,
    schema: row.schema,
    groups: row.groups,
    topics: row.topics,
    rules: row.rules.map((rule) => (known.has(rule.trigger) ? rule : { ...rule, issue: ruleIssue(rule.trigger) })),
    meta: row.meta,
    ...(unbound.length > 0 && { issue: templateIssue(unbound.map((rule) => rule.id)) }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function ruleIssue(trigger: string): string {
  return `There is no trigger "${trigger}" that this project could use.`
}

function templateIssue(rules: string[]): string {
  return `Not subscribable until their triggers exist: ${rules.join(', ')}.`
}
