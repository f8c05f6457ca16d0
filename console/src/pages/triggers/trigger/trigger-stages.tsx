import { IconFilter, IconMessage, IconProject, IconResource, IconSource } from '../../../components/icons.tsx'
import type { Stage } from '../../../components/patterns/pipeline.tsx'
import { isObject } from '../../../forms/json.ts'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import type { AddressSource } from '../../../layouts/address/use-sources.ts'
import type { TracedAlert } from '../../../layouts/alert/alert-status.ts'
import {
  deliveryStage,
  messageStage as messageOfAlert,
  wordsOfConditions,
} from '../../../layouts/pipeline/alert-stages.tsx'
import { shownValues } from '../../../layouts/pipeline/shown-values.ts'
import { joinWords, type Names } from '../../../sentences/parts.ts'
import { networkWords, sourceWords } from '../../../sentences/when-words.ts'
import { type Trigger, textOf } from '../model/definition.ts'
import { subscriptionWords } from '../subscribers/subscription-words.ts'
import type { TestResult } from './run-on-latest.ts'

export type StageFacts = {
  trigger: Trigger
  /** The latest alert of the trigger. */
  alert: TracedAlert | undefined
  /** The result of a run that the reader started here. It replaces the alert. */
  run: TestResult | undefined
  names: Names
  source: AddressSource | undefined
  /** Active subscriptions; undefined while their number is not known. */
  subscriptions: number | undefined
}

/** The pipeline of a published trigger: what the latest alert, or a run on this page, gave at each stage. */
export function triggerStages(facts: StageFacts): Stage[] {
  return [sourceStage(facts), conditionStage(facts), dataStage(facts), messageStage(facts), destinationStage(facts)]
}

function sourceStage({ trigger, alert, run, names, source }: StageFacts): Stage {
  const block = run ? undefined : alert?.block?.number
  return {
    name: 'Source',
    icon: IconSource,
    state: run?.input || alert ? 'passed' : 'idle',
    value: <AddressText text={sourceWords(trigger, names)} source={source} isPlain />,
    about: [networkWords(trigger, names), block !== undefined && `block ${block.toLocaleString('en')}`]
      .filter(Boolean)
      .join(', '),
  }
}

function conditionStage({ trigger, alert, run, source }: StageFacts): Stage {
  const words = wordsOfConditions(trigger)
  return {
    name: 'Condition',
    icon: IconFilter,
    state: !run && !alert ? 'idle' : run && !run.valid ? 'error' : 'passed',
    durationMs: timed(run, /^activation/),
    value: verdictOf(run, alert) ?? (words === '' ? 'Fires every time' : 'Not run yet'),
    about: words === '' ? 'No condition' : <AddressText text={words} source={source} isPlain />,
  }
}

/** Undefined if nothing ran yet. A run can fail before it decides. */
function verdictOf(run: StageFacts['run'], alert: StageFacts['alert']): string | undefined {
  if (!run && !alert) return undefined
  if (run && !run.valid && run.debug.activated === undefined) return 'Not decided'
  return (run ? run.debug.activated !== false : alert?.activated) ? 'Passed' : 'Does not match'
}

function dataStage({ trigger: { providers }, alert, run, source }: StageFacts): Stage {
  const calls = Object.entries(run?.debug.providers ?? {})
  const failed = calls.find(([, { ok, skipped }]) => !ok && !skipped)
  const output = run ? run.output : alert?.output
  const { raw, human } = isObject(output) ? output : {}
  const scripts = timed(run, /^transform/)
  return {
    name: 'Data',
    icon: IconProject,
    state: failed ? 'error' : isObject(output) ? 'passed' : 'idle',
    durationMs: run && calls.reduce((sum, [, { durationMs }]) => sum + durationMs, scripts ?? 0),
    value: <AddressText text={shownValues(human) ?? shownValues(raw) ?? 'No output yet'} source={source} isPlain />,
    about: failed
      ? `${failed[0]}: ${failed[1].error ?? 'failed'}`
      : joinWords(providers.map(({ id }) => textOf(id))) || 'Of the item itself',
  }
}

function messageStage({ trigger: { defaults, meta }, alert, run, source }: StageFacts): Stage {
  if (alert && !run) return messageOfAlert(alert, source)
  return {
    name: 'Message',
    icon: IconMessage,
    state: 'idle',
    value: <AddressText text={`“${textOf(defaults?.title) || meta.title}”`} source={source} isPlain />,
    about: defaults?.short || defaults?.long ? 'Title and text' : 'Only a title',
  }
}

function destinationStage({ alert, run, names, subscriptions }: StageFacts): Stage {
  if (alert && !run && alert.destinations.length > 0)
    return deliveryStage(alert, (fullname) => names.destination?.(fullname) ?? fullname)
  return {
    name: 'Destinations',
    icon: IconResource,
    state: alert && !run ? 'passed' : 'idle',
    value: subscriptionWords(subscriptions),
    about: run ? 'A run here sends nothing' : alert ? 'In app only' : undefined,
  }
}

function timed(run: TestResult | undefined, scripts: RegExp): number | undefined {
  const times = Object.entries(run?.debug.timings ?? {}).filter(([path]) => scripts.test(path))
  return times.length === 0 ? undefined : times.reduce((sum, [, ms]) => sum + ms, 0)
}
