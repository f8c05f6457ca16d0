import { noResourceIssue } from '@tocsin/contract'
import type { SubscriptionRow } from '../../store/alerts/subscriptions.ts'
import { untagged } from '../answers.ts'
import { defineNoun, requestOf, type StackContext, stackOf } from '../definition-noun.ts'
import { Refusal } from '../refusal.ts'
import { stackMark } from '../stack-mark.ts'
import { deleteSubscription } from './change.ts'
import { createSubscription, saveSubscription } from './save.ts'
import { taggedSubscription } from './views.ts'

export const subscriptionDefinition = defineNoun({
  kind: 'subscription',
  nameOf: ({ key }) => key,
  prepare:
    async (_, { key, ...payload }) =>
    async (context) => {
      const { store, stack } = context
      const template = payload.template && (await templateId(context, payload.template))
      const body = { ...payload, ...(template && { template }) }
      const id = await findId(context, key)
      const saved =
        id === undefined
          ? await createSubscription(requestOf(context, {}, { ...body, deliverHistory: false, paused: false }))
          : await saveSubscription(requestOf(context, { id }, body))
      await store.stacks.markKeyed('subscriptions', untagged(saved).id, stack, key)
      return undefined
    },
  find: async (context, key) => {
    const { store, account, locks } = context
    const id = await findId(context, key)
    if (id === undefined) return undefined
    if (locks) await store.subscriptions.lock(id)
    const row = await store.subscriptions.find(id, account.id)
    return row && { payload: await payloadOf(context, row), stack: row.stack }
  },
  remove: async (context, key) => {
    const id = await findId(context, key)
    if (id !== undefined) await deleteSubscription(requestOf(context, { id }, undefined))
  },
  warningOf: async (context, key) => {
    const id = await findId(context, key)
    const row = id === undefined ? undefined : await context.store.subscriptions.find(id, context.account.id)
    const { issue } = row ? untagged(await taggedSubscription(context, row)) : {}
    return issue === noResourceIssue ? undefined : issue
  },
})

/** Only its own account changes a subscription, and a member may not even see those of others. */
async function findId(context: StackContext, key: string): Promise<string | undefined> {
  const known = await context.store.stacks.findSubscription(stackOf(context), key)
  if (known && known.account_id !== context.account.id)
    throw new Refusal('forbidden', 'This subscription belongs to another account.')
  return known?.id
}

/** A subscription names a template of its stack by key, because the template may not exist yet. */
async function templateId(context: StackContext, template: string): Promise<string> {
  return (await context.store.stacks.findTemplate(stackOf(context), template))?.id ?? template
}

async function payloadOf(context: StackContext, row: SubscriptionRow) {
  const { policy, delivery, overrides } = row
  return {
    key: row.key,
    workspace: row.workspace,
    project: row.project,
    ...(await chosenOf(context, row)),
    ...(policy && { policy }),
    ...(delivery && { delivery }),
    resources: row.resources.map(({ fullname }) => fullname),
    ...(overrides && { overrides }),
    meta: row.meta,
    ...stackMark(row.stack),
  }
}

async function chosenOf(context: StackContext, row: SubscriptionRow) {
  const { topics, vals, template_id: id, trigger, inputs, conditions } = row
  if (!topics) return { ...(trigger && { trigger }), inputs: inputs ?? {}, ...(conditions && { conditions }) }
  const template = id === null ? undefined : ((await context.store.stacks.findTemplateKey(stackOf(context), id)) ?? id)
  return { ...(template !== undefined && { template }), topics, values: vals ?? {} }
}
