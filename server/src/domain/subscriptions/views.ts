import { noResourceIssue, type SubscriptionView } from '@tocsin/contract'
import type * as z from 'zod'
import type { SubscriptionRow } from '../../store/alerts/subscriptions.ts'
import type { DescribedTriggerRow } from '../../store/triggers/described-triggers.ts'
import { Tagged, tagOf } from '../answers.ts'
import { silenceOf } from '../can-fire.ts'
import { conditionIssue, deliveryIssue, policyIssue } from '../field-issues.ts'
import type { Caller } from '../find-source.ts'
import type { Account } from '../handler.ts'
import { stackMark } from '../stack-mark.ts'

type View = z.output<typeof SubscriptionView>

export async function subscriptionViews(caller: Caller, rows: SubscriptionRow[]): Promise<View[]> {
  const issues = await triggerIssues(caller, rows)
  return rows.map((row) => viewOf(row, caller.account, issues.get(row.id)))
}

export async function taggedSubscription(caller: Caller, row: SubscriptionRow): Promise<Tagged<View>> {
  const issues = await triggerIssues(caller, [row])
  const view = viewOf(row, caller.account, issues.get(row.id))
  const maySaySo = view.issue === undefined || view.issue === noResourceIssue
  const same = maySaySo ? await caller.store.subscriptions.findSame(row.id) : undefined
  return new Tagged(same ? { ...view, issue: sameIssue(same) } : view, tagOf(row))
}

function sameIssue({ id, title }: { id: string; title: string | null }): string {
  const name = title ? `"${title}" (${id})` : id
  return `You have the same subscription already: ${name}. Each match makes an alert for both.`
}

/**
 * What the trigger of each subscription, or the triggers of its template's rules, say: that no alert can come, or that they
 * lack a field which the subscription names. They are looked up on every read, so that a later change shows.
 */
async function triggerIssues({ store, settings }: Caller, rows: SubscriptionRow[]) {
  const ofTemplates = rows.flatMap(({ id, template_id: template }) => (template === null ? [] : id))
  const ofRules = await store.subscriptions.listRuleTriggers(ofTemplates)
  const triggersOf = ({ id, trigger }: SubscriptionRow) => (trigger === null ? (ofRules.get(id) ?? []) : [trigger])
  const described = await store.describedTriggers.find([...new Set(rows.flatMap(triggersOf))])
  const issueOf = (row: SubscriptionRow, trigger: DescribedTriggerRow | undefined) =>
    (trigger && silenceOf(trigger, settings.networks)) ?? fieldIssue(row, trigger)
  return new Map(
    rows.map((row) => {
      const issues = triggersOf(row).map((trigger) => issueOf(row, described.get(trigger)))
      return [row.id, issues.find((issue) => issue !== undefined)]
    }),
  )
}

/** Conditions, policy and delivery may name fields. */
function fieldIssue({ conditions, policy, delivery }: SubscriptionRow, trigger: DescribedTriggerRow | undefined) {
  return conditionIssue(conditions, trigger) ?? policyIssue(policy, trigger) ?? deliveryIssue(delivery, trigger)
}

function viewOf(row: SubscriptionRow, account: Account, ofTriggers: string | undefined): View {
  const issue = issueOf(row, ofTriggers)
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

function issueOf(row: SubscriptionRow, ofTriggers: string | undefined): string | undefined {
  if (row.topics ? row.template_id === null : row.trigger === null)
    return `The ${row.topics ? 'template' : 'trigger'} was deleted, so this subscription makes no more alerts.`
  const lost = lostAccess(row)
  if (lost !== undefined) return `${lost}, so this subscription makes no alerts.`
  if (ofTriggers !== undefined) return ofTriggers
  if (row.resources.length === 0) return noResourceIssue
  const shut = row.resources.filter(({ maySendTo }) => !maySendTo).map(({ fullname }) => fullname)
  if (shut.length > 0)
    return `Not allowed to deliver to: ${shut.join(', ')}. Its account is not a member of the workspace.`
  const unready = row.resources.filter(({ ready }) => !ready).map(({ fullname }) => fullname)
  return unready.length > 0 ? `Not ready to deliver to: ${unready.join(', ')}.` : undefined
}

/** The subscription works again when its account gets the access back. */
function lostAccess({ is_in_workspace, may_read_project, workspace, project }: SubscriptionRow): string | undefined {
  if (!is_in_workspace) return `Its account is not a member of the workspace "${workspace}"`
  return may_read_project ? undefined : `Its account may not read the project "${project}"`
}
