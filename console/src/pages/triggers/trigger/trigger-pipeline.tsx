import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconFilter, IconMessage, IconProject, IconResource, IconSource } from '../../../components/icons.tsx'
import { MessageCard } from '../../../components/message-card.tsx'
import { ClockTime } from '../../../components/patterns/clock-time.tsx'
import { Pipeline, type Stage } from '../../../components/patterns/pipeline.tsx'
import { api, type Body } from '../../../data/api.ts'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { isObject } from '../../../forms/json.ts'
import { AddressJson } from '../../../layouts/address/address-json.tsx'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import type { AddressSource } from '../../../layouts/address/use-sources.ts'
import type { TracedAlert } from '../../../layouts/alert/alert-status.ts'
import {
  deliveryStage,
  messageStage as messageOfAlert,
  wordsOfConditions,
} from '../../../layouts/pipeline/alert-stages.tsx'
import { shownValues } from '../../../layouts/pipeline/shown-values.ts'
import { TriggerSentence } from '../../../layouts/sentence/sentences.tsx'
import { useNames } from '../../../layouts/sentence/use-names.ts'
import { conditionWords } from '../../../sentences/condition-words.ts'
import { joinWords, type Names } from '../../../sentences/parts.ts'
import { networkWords, sourceWords } from '../../../sentences/when-words.ts'
import { type Trigger, textOf } from '../model/definition.ts'
import { Subscribers } from '../subscribers/subscribers.tsx'
import { subscriptionWords } from '../subscribers/subscription-words.ts'
import classes from './trigger.module.css'

type TriggerPipelineProps = {
  trigger: Trigger
  source: AddressSource | undefined
  subscriptions: number | undefined
  mayRun: boolean
}

/** The rule as a sentence, and what the last alert gave at each stage. A click on a stage shows its data. */
export function TriggerPipeline({ trigger, source, subscriptions, mayRun }: TriggerPipelineProps) {
  const { fullname, workspace } = trigger
  const names = useNames(workspace)
  const { alert, isLoading, error, reload } = useLatestAlert(fullname)
  const run = useMutation<LatestRun, Error>({ mutationFn: () => runOnLatest(trigger) })
  const [open, setOpen] = useState<string>()
  const facts = { trigger, alert, run: run.data?.result, names, source, subscriptions }
  const stages = triggerStages(facts).map((stage) => ({
    ...stage,
    isOpen: stage.name === open,
    open: () => setOpen((before) => (before === stage.name ? undefined : stage.name)),
  }))
  return (
    <section className={classes.card} aria-label="Pipeline of the trigger">
      <div className={classes.sentence}>
        <TriggerSentence trigger={trigger} workspace={workspace} subscriptions={subscriptions} />
      </div>
      <div className={classes.stages}>
        <Pipeline stages={stages} />
      </div>
      {open && (
        <section className={classes.details} aria-label={`${open} of the sample`}>
          <StageDetails stage={open} facts={facts} />
        </section>
      )}
      <Group className={classes.foot} justify="space-between">
        <Text size="sm" c="dimmed">
          {run.data || !error ? <SampleText run={run.data} at={alert?.createdAt} isLoading={isLoading} /> : null}
        </Text>
        {mayRun && (
          <Button size="xs" variant="default" loading={run.isPending} onClick={() => run.mutate()}>
            Run on the latest match
          </Button>
        )}
      </Group>
      <ErrorNotice error={error} title="The last alert could not be read" retry={reload} />
      <ErrorNotice error={run.error} title="The run failed" />
    </section>
  )
}

type SampleTextProps = { run: LatestRun | undefined; at: string | undefined; isLoading: boolean }

function SampleText({ run, at, isLoading }: SampleTextProps) {
  if (run) return runText(run)
  if (at === undefined) return isLoading ? 'Loading the last alert' : 'The trigger has not fired yet.'
  return (
    <>
      Last alert, <ClockTime at={at} />
    </>
  )
}

function runText({ result: { valid, issues }, noMatch }: LatestRun): string {
  if (!valid) return `This run failed: ${issues[0]?.message ?? 'the service gave no reason.'}`
  if (noMatch !== undefined) return `${noMatch} This run used the test input of the trigger. Nothing was sent.`
  return 'This run, on the latest match. Nothing was sent.'
}

function useLatestAlert(trigger: string) {
  const latest = useApiList('listAlerts', { query: { trigger, limit: 1 } }, { pollMs: 15_000 })
  const id = latest.items[0]?.id
  const traced = useApiQuery('getAlert', { id: id ?? '' }, { enabled: id !== undefined })
  return {
    alert: traced.data,
    isLoading: latest.isLoading || traced.isLoading,
    error: latest.error ?? traced.error,
    reload: () => (latest.error ? latest.reload() : void traced.refetch()),
  }
}

/** What one stage got and gave, below the pipeline. */
function StageDetails({ stage, facts }: { stage: string; facts: StageFacts }) {
  switch (stage) {
    case 'Source':
      return <Value label="Item" value={facts.run ? facts.run.input : facts.alert?.item} facts={facts} />
    case 'Condition':
      return <Condition facts={facts} />
    case 'Data':
      return <Data facts={facts} />
    case 'Message':
      return <Message facts={facts} />
    default:
      return <Subscribers trigger={facts.trigger} active={facts.subscriptions} />
  }
}

type ValueProps = { label: string; value: unknown; facts: StageFacts }

function Value({ label, value, facts: { source, run } }: ValueProps) {
  if (value === undefined || value === null)
    return <Text c="dimmed">{run ? `${label}: none in this run.` : 'Nothing to show yet.'}</Text>
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <AddressJson value={value} label={label} maxHeight={320} source={source} />
    </div>
  )
}

function Condition({ facts }: { facts: StageFacts }) {
  const { conditions, activation } = facts.trigger
  const words = isObject(conditions) ? conditionWords(conditions) : undefined
  return (
    <Stack gap="sm">
      <Text>
        {words === undefined ? (
          'No conditions.'
        ) : (
          <>
            Fires if <AddressText text={words} source={facts.source} />.
          </>
        )}
      </Text>
      {isObject(activation) && <Value label="Script" value={activation.source} facts={facts} />}
      {facts.run?.debug.conditions && <Value label="Parts" value={facts.run.debug.conditions} facts={facts} />}
    </Stack>
  )
}

function Data({ facts }: { facts: StageFacts }) {
  const { run, alert } = facts
  return (
    <Stack gap="sm">
      <Value label="Providers" value={run ? run.debug.providers : alert?.providers} facts={facts} />
      <Value label="Output" value={run ? run.output : alert?.output} facts={facts} />
    </Stack>
  )
}

/** A run on this page renders no message, so it shows the templates. */
function Message({ facts: { alert, run, trigger, source } }: { facts: StageFacts }) {
  if (!alert || run)
    return <AddressJson value={trigger.defaults ?? {}} label="templates" maxHeight={320} source={source} />
  return <MessageCard message={alert.message} showText={(text) => <AddressText text={text} source={source} />} />
}

type StageFacts = {
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
function triggerStages(facts: StageFacts): Stage[] {
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

type TestResult = Body<'testTrigger'>
/** The result of a run, and the reason if it used the trigger's test input in place of a match. */
type LatestRun = { result: TestResult; noMatch?: string }

const blocksMax = 1000

/** Runs the published definition on the latest item that matches it, else on its test input. Nothing is sent or stored. */
async function runOnLatest(trigger: Trigger): Promise<LatestRun> {
  const { fullname, triggerSpec, sourceBindings, providers, transform, outputSchema = null, project } = trigger
  const { activation, conditions } = trigger
  const body = { triggerSpec, sourceBindings, providers, transform, outputSchema, activation, conditions, project }
  const found = await api.findLatestBlock({ body: { trigger: fullname, maxBlocks: blocksMax } })
  if (found.input) return { result: await api.testTrigger({ body: { ...body, input: found.input } }) }
  const noMatch = found.valid
    ? `No item matched in the last ${found.checkedBlocks.toLocaleString('en')} blocks.`
    : found.issues.map(({ message }) => message).join('; ')
  const input = triggerSpec?.testInput
  if (input === undefined) throw new Error(noMatch)
  return { result: await api.testTrigger({ body: { ...body, input } }), noMatch }
}
