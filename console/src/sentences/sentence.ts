import { type PolicyFields, repeatWords } from '@tocsin/contract'
import { joinWords, type Names, type SentenceParts } from './parts.ts'
import { type DeliveryFields, finalityWords, modeWords, policyWords } from './policy-words.ts'
import { eventWordsOf, type SaidTrigger, whenParts } from './when-words.ts'

/** What a sentence needs of a subscription. */
export type SaidSubscription = {
  project: string
  trigger?: string | undefined
  topics?: readonly string[] | undefined
  inputs?: Record<string, unknown> | undefined
  conditions?: unknown
  policy?: PolicyFields | null | undefined
  delivery?: DeliveryFields | undefined
  resources: readonly string[]
}

/** “When a transfer exceeds 1,000 USDC on Ethereum, look up price, and send to 4 subscriptions.” */
export function triggerSentence(trigger: SaidTrigger, names: Names = {}, subscriptions = 0): SentenceParts {
  const lookUps = lookUpParts(trigger)
  const end: SentenceParts =
    subscriptions === 0
      ? ['send an alert']
      : [
          'send to ',
          { value: `${subscriptions.toLocaleString('en')} ${subscriptions === 1 ? 'subscription' : 'subscriptions'}` },
        ]
  return [...whenParts(trigger, names), ', ', ...(lookUps.length > 0 ? [...lookUps, ', and '] : []), ...end, '.']
}

/** “When a transfer exceeds 1,000 USDC on Ethereum, send to Ops webhook, every time.” `trigger` is the subscription's. */
export function subscriptionSentence(
  subscription: SaidSubscription,
  trigger: SaidTrigger | undefined,
  names: Names = {},
): SentenceParts {
  const delivery = deliveryOf(subscription, trigger)
  const often = oftenWords(subscription, delivery, trigger)
  const wait = finalityWords(delivery.finality)
  const destinations = subscription.resources.map((name) => names.destination?.(name) ?? name)
  return [
    ...(trigger ? whenParts(trigger, names, subscription) : firesParts(subscription, names)),
    ...(destinations.length === 0 ? [', list it in the app'] : [', send to ', { value: joinWords(destinations) }]),
    `${often.startsWith('when ') ? ' ' : ', '}${often}${wait ? `, ${wait}` : ''}.`,
  ]
}

/** The results of providers: “look up price and names”. */
function lookUpParts({ providers, hasProviders }: SaidTrigger): SentenceParts {
  const ids = (providers ?? []).map(({ id }) => String(id))
  if (ids.length === 0) return hasProviders ? ['look up more data'] : []
  const shown = ids.length > 3 ? [...ids.slice(0, 2), `${ids.length - 2} more`] : ids
  return ['look up ', { value: joinWords(shown) }]
}

/** A count and an absence of events are said in the clause that begins the sentence. */
function oftenWords({ policy, inputs }: SaidSubscription, delivery: DeliveryFields, trigger: SaidTrigger | undefined) {
  const mode = modeWords(delivery) ?? 'every time'
  if (!policy || policy.type === 'filter') return mode
  const words = policyWordsOf(policy, inputs, trigger)
  return mode === 'every time' ? words : `${words}, ${mode}`
}

function policyWordsOf(policy: PolicyFields, inputs: SaidSubscription['inputs'], trigger: SaidTrigger | undefined) {
  const events = trigger && eventWordsOf(trigger, policy)
  return events ? `${events.end}${repeatWords(policy)}` : policyWords(policy, inputs)
}

/** A field that the subscription leaves out has the value of the trigger's defaults. */
function deliveryOf({ delivery = {} }: SaidSubscription, trigger: SaidTrigger | undefined): DeliveryFields {
  const ofTrigger = trigger?.defaults?.delivery ?? {}
  const { mode, keyPath } = delivery.mode === undefined ? ofTrigger : delivery
  return { mode, keyPath, finality: delivery.finality ?? ofTrigger.finality }
}

/** For topics of a template, and for a trigger that the reader cannot see. */
function firesParts({ project, trigger, topics = [] }: SaidSubscription, names: Names): SentenceParts {
  if (trigger !== undefined) return ['When ', { value: names.trigger?.(trigger) ?? trigger }, ' fires']
  const shown = topics.length > 4 ? `${topics.length} topics` : joinWords(topics, 'or')
  return ['When ', { value: shown || 'a topic' }, ' of ', { value: project }, ' fires']
}
