import { IconFilter, IconMessage, IconProject, IconResource } from '../../components/icons.tsx'
import type { Stage } from '../../components/patterns/pipeline.tsx'
import { isObject } from '../../forms/json.ts'
import { conditionWords } from '../../sentences/condition-words.ts'
import { joinWords } from '../../sentences/parts.ts'
import { AddressText } from '../address/address-text.tsx'
import type { AddressSource } from '../address/use-sources.ts'
import type { TracedAlert } from '../alert/alert-status.ts'
import { shownValues } from './shown-values.ts'

/** What the stages need of a trigger. Undefined if the reader may not see the trigger, or if it was deleted. */
type Conditions = { conditions?: unknown; activation?: unknown } | undefined

/** The stages that an alert went through, except its source: condition, data, message, destinations. */
export function alertStages(
  alert: TracedAlert,
  trigger: Conditions,
  source: AddressSource | undefined,
  destinationName: (fullname: string) => string,
): Stage[] {
  return [
    conditionStage(alert, trigger, source),
    dataStage(alert, source),
    messageStage(alert, source),
    deliveryStage(alert, destinationName),
  ]
}

/** The conditions of a trigger in words; empty if it has none. */
export function wordsOfConditions(trigger: Conditions): string {
  const { conditions, activation } = trigger ?? {}
  return isObject(conditions) ? conditionWords(conditions) : activation ? 'By its script' : ''
}

function conditionStage({ activated }: TracedAlert, trigger: Conditions, source: AddressSource | undefined): Stage {
  const words = wordsOfConditions(trigger)
  return {
    name: 'Condition',
    icon: IconFilter,
    state: 'passed',
    value: activated ? 'Passed' : 'Not passed',
    about: words === '' ? 'No condition' : <AddressText text={words} source={source} isPlain />,
  }
}

function dataStage({ output: { raw, human }, providers }: TracedAlert, source: AddressSource | undefined): Stage {
  const text = shownValues(human) ?? shownValues(raw) ?? 'No values'
  return {
    name: 'Data',
    icon: IconProject,
    state: 'passed',
    value: <AddressText text={text} source={source} isPlain />,
    about: joinWords(Object.keys(providers)) || 'Of the item itself',
  }
}

export function messageStage(
  { message, issues = [], severity, severityRule }: TracedAlert,
  source: AddressSource | undefined,
): Stage {
  const texts = message.short || message.long ? 'Title and text' : 'Only a title'
  return {
    name: 'Message',
    icon: IconMessage,
    state: issues.length > 0 ? 'error' : 'passed',
    value: <AddressText text={`“${message.title}”`} source={source} isPlain />,
    about: issues[0] ?? (severityRule === undefined ? texts : `${texts}, ${severity} by rule ${severityRule + 1}`),
  }
}

/** How many destinations have the alert, and which one fails. */
export function deliveryStage(alert: TracedAlert, nameOf: (fullname: string) => string): Stage {
  const { destinations, retryError, reason } = alert
  const sent = destinations.filter(({ status }) => status === 'delivered').length
  const failing = destinations.filter(({ status, isRetrying }) => isRetrying || status === 'dead')
  const counted = [sent > 0 && `${sent} delivered`, failing.length > 0 && `${failing.length} failing`].filter(Boolean)
  const [worst] = failing
  return {
    name: 'Destinations',
    icon: IconResource,
    state: worst ? 'firing' : sent > 0 || destinations.length === 0 ? 'passed' : 'idle',
    durationMs: longestAttemptMs(alert),
    value: counted.join(', ') || (destinations.length === 0 ? 'In app only' : 'Queued'),
    about: worst && [nameOf(worst.resource), retryError ?? reason].filter(Boolean).join(': '),
  }
}

/** Deliveries go out side by side, so the longest attempt counts. */
function longestAttemptMs({ deliveries }: TracedAlert): number | undefined {
  const attempts = deliveries.flatMap(({ attempts }) => attempts.at(-1)?.durationMs ?? [])
  return attempts.length === 0 ? undefined : Math.max(...attempts)
}
