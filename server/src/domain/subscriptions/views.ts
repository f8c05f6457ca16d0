import { noResourceIssue, type SubscriptionView } from '@tocsin/contract'
import type * as z from 'zod'
import type { SubscriptionRow } from '../../store/alerts/subscriptions.ts'
import type { Store } from '../../store/index.ts'
import { Tagged, tagOf } from '../answers.ts'
import { conditionIssue } from '../condition-issue.ts'
import type { Account } from '../handler.ts'
import { stackMark } from '../stack-mark.ts'

type View = z.output<typeof SubscriptionView>

export async function subscriptionViews(store: Store, rows: SubscriptionRow[], account: Account): Promise<View[]> {
  const issues = await conditionIssues(store, rows)
  return rows.map((row) => viewOf(row, account, issues.get(row.id)))
}

export async function taggedSubscription(store: Store, row: SubscriptionRow, account: Account): Promise<Tagged<View>> {
  const issues = await conditionIssues(store, [row])
  return new Tagged(viewOf(row, account, issues.get(row.id)), tagOf(row))
}

/** The issue of each subscription. It is computed on every read, so that a later edit of the trigger shows. */
async function conditionIssues(store: Store, rows: SubscriptionRow[]): Promise<Map<string, string | undefined>> {
  const judged = rows.flatMap(({ conditions, trigger }) => (conditions && trigger ? [trigger] : []))
  const described = await store.describedTriggers.find([...new Set(judged)])
  return new Map(rows.map((row) => [row.id, conditionIssue(row.conditions, described.get(row.trigger ?? ''))]))
}

function viewOf(row: SubscriptionRow, account: Account, ofConditions: string | undefined): View {
  const issue = issueOf(row, ofConditions)
  return {
    id: row.id,
    workspace: row.workspace,
    project: row.project,
    ...chosenOf(row),
    policy: row.policy,
    ...(row.delivery && { delivery: row.delivery }),
    resources: row.resources.map(({ fullname }) => fullname),
    ...(row.overrides && { overrides: row.overrides }),
    meta: row.meta,
    ...(row.key !== null && { key: row.key }),
    ...stackMark(row.stack),
    status: row.paused ? 'paused' : 'active',
    ...(row.history && { history: historyOf(row.history) }),
    ...(issue && { issue }),
    ...(row.account_id !== account.id && { account: { id: row.account_id, name: row.account_name } }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function historyOf({ reason, ...history }: NonNullable<SubscriptionRow['history']>) {
  return { ...history, ...(reason !== null && { reason }) }
}

/** Only a template's subscription has topics, so they tell the two kinds apart, even after the template is deleted. */
function chosenOf(row: SubscriptionRow) {
  if (row.topics)
    return { ...(row.template_id && { template: row.template_id }), topics: row.topics, values: row.vals ?? {} }
  return {
    ...(row.trigger && { trigger: row.trigger }),
    inputs: row.inputs ?? {},
    ...(row.conditions && { conditions: row.conditions }),
  }
}

function issueOf(row: SubscriptionRow, ofConditions: string | undefined): string | undefined {
  if (row.topics ? row.template_id === null : row.trigger === null)
    return `The ${row.topics ? 'template' : 'trigger'} was deleted, so this subscription makes no more alerts.`
  if (ofConditions !== undefined) return ofConditions
  if (row.resources.length === 0) return noResourceIssue
  const unready = row.resources.filter(({ ready }) => !ready).map(({ fullname }) => fullname)
  return unready.length > 0 ? `Not ready to deliver to: ${unready.join(', ')}.` : undefined
}
