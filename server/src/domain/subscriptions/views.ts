import type { SubscriptionView } from '@tocsin/contract'
import type * as z from 'zod'
import type { SubscriptionRow } from '../../store/subscriptions.ts'
import type { Account } from '../handler.ts'

export function subscriptionView(row: SubscriptionRow, account: Account): z.output<typeof SubscriptionView> {
  const issue = issueOf(row)
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
    status: row.paused ? 'paused' : 'active',
    ...(issue && { issue }),
    ...(row.account_id !== account.id && { account: { id: row.account_id, name: row.account_name } }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Topics are kept with a wizard's choice alone, so they tell the two kinds apart, also when the template is gone. */
function chosenOf(row: SubscriptionRow) {
  if (row.topics)
    return { ...(row.template_id && { template: row.template_id }), topics: row.topics, values: row.vals ?? {} }
  return {
    ...(row.trigger && { trigger: row.trigger }),
    inputs: row.inputs ?? {},
    ...(row.conditions && { conditions: row.conditions }),
  }
}

function issueOf(row: SubscriptionRow): string | undefined {
  if (row.topics ? row.template_id === null : row.trigger === null)
    return `The ${row.topics ? 'template' : 'trigger'} was deleted: this subscription makes no more alerts.`
  if (row.resources.length === 0) return 'It has no resource: alerts are listed, and delivered nowhere.'
  const unready = row.resources.filter(({ ready }) => !ready).map(({ fullname }) => fullname)
  return unready.length > 0 ? `Not ready to deliver to: ${unready.join(', ')}.` : undefined
}
