import type { Issue } from '@tocsin/contract'
import { IconFilter, IconMessage, IconProject, IconResource, IconSource } from '../../../components/icons.tsx'
import type { Stage } from '../../../components/patterns/pipeline.tsx'
import { isObject } from '../../../forms/json.ts'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import type { AddressSource } from '../../../layouts/address/use-sources.ts'
import { shownValues } from '../../../layouts/pipeline/shown-values.ts'
import { joinWords, type Names } from '../../../sentences/parts.ts'
import { networkWords, sourceWords } from '../../../sentences/when-words.ts'
import { type Definition, textOf } from '../model/definition.ts'
import { subscriptionWords } from '../subscribers/subscription-words.ts'
import { isNegated } from './preview/condition-words.ts'
import { tabPaths } from './state/issue-fields.ts'
import type { Preview } from './state/use-preview.ts'
import { readOutput } from './state/use-preview.ts'
import type { TestRun } from './state/use-test-run.ts'

export type StageFacts = {
  definition: Definition
  hasSample: boolean
  preview: Preview
  testRun: TestRun
  issues: Issue[]
  names: Names
  source: AddressSource | undefined
  /** Active subscriptions of the published version; undefined while their number is not known. */
  subscriptions: number | undefined
  /** The title of the rendered message. */
  message: string | undefined
}

/** The pipeline of the builder: what the sample gave at each stage. */
export function builderStages(facts: StageFacts): Stage[] {
  return [sourceStage(facts), conditionStage(facts), dataStage(facts), messageStage(facts), destinationStage(facts)]
}

function sourceStage({ definition, hasSample, issues, names, source }: StageFacts): Stage {
  return {
    name: 'Source',
    icon: IconSource,
    state: stateOf(issues, 'Source', hasSample),
    value: <AddressText text={sourceWords(definition, names)} source={source} isPlain />,
    about: networkWords(definition, names) || undefined,
  }
}

function conditionStage({ definition, preview: { result }, issues, testRun }: StageFacts): Stage {
  const { conditions, activation } = definition
  const isEmpty = !activation && (!isObject(conditions) || Object.keys(conditions).length === 0)
  const parts = result?.debug.conditions ?? []
  const held = parts.filter((part) => part.held !== null && part.held !== isNegated(part.path)).length
  const verdict = result?.debug.activated === false ? 'Does not match' : 'Passes'
  return {
    name: 'Condition',
    icon: IconFilter,
    state: stateOf(issues, 'Condition', result !== undefined),
    durationMs: timed(testRun, /^activation/),
    value: isEmpty ? 'Fires every time' : result ? verdict : 'Not run',
    about: parts.length > 0 ? partWords(held, parts) : activation ? 'By its script' : undefined,
  }
}

function partWords(held: number, parts: readonly { issue?: string | undefined }[]): string {
  const hopeless = parts.filter(({ issue }) => issue !== undefined).length
  return `${held} of ${parts.length} parts are true${hopeless > 0 ? `, ${hopeless} can probably never be` : ''}`
}

function dataStage({ definition, preview: { result }, issues, testRun, source }: StageFacts): Stage {
  const calls = Object.entries(testRun.result?.debug.providers ?? {})
  const failed = calls.find(([, { ok, skipped }]) => !ok && !skipped)
  const ids = definition.providers.map(({ id }) => textOf(id))
  const { raw, human } = readOutput(result?.output)
  const fetched = calls.reduce((sum, [, { durationMs }]) => sum + durationMs, 0)
  const scripts = timed(testRun, /^transform/)
  return {
    name: 'Data',
    icon: IconProject,
    state: failed ? 'error' : stateOf(issues, 'Data', result?.output !== undefined && result.output !== null),
    durationMs: scripts === undefined && calls.length === 0 ? undefined : fetched + (scripts ?? 0),
    value: <AddressText text={shownValues(human) ?? shownValues(raw) ?? 'No output yet'} source={source} isPlain />,
    about: failed ? `${failed[0]}: ${failed[1].error ?? 'failed'}` : joinWords(ids) || 'Of the item itself',
  }
}

function messageStage({ definition, issues, message }: StageFacts): Stage {
  const title = message ?? (textOf(definition.defaults?.title) || definition.meta.title)
  return {
    name: 'Message',
    icon: IconMessage,
    state: stateOf(issues, 'Message', message !== undefined),
    value: `“${title}”`,
    about: definition.defaults?.short || definition.defaults?.long ? 'Title and text' : 'Only a title',
  }
}

function destinationStage({ subscriptions }: StageFacts): Stage {
  return {
    name: 'Destinations',
    icon: IconResource,
    state: 'idle',
    value: subscriptionWords(subscriptions),
    about: 'A draft sends nothing',
  }
}

function stateOf(issues: Issue[], stage: string, hasRun: boolean): Stage['state'] {
  const owns = tabPaths.find(([tab]) => tab === stage)?.[1]
  if (owns && issues.some(({ path }) => owns.test(path))) return 'error'
  return hasRun ? 'passed' : 'idle'
}

/** The time of the scripts in the last test. */
function timed({ result }: TestRun, scripts: RegExp): number | undefined {
  const times = Object.entries(result?.debug.timings ?? {}).filter(([path]) => scripts.test(path))
  return times.length === 0 ? undefined : times.reduce((sum, [, ms]) => sum + ms, 0)
}
