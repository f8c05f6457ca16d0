import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { ClockTime } from '../../../components/patterns/clock-time.tsx'
import { Pipeline } from '../../../components/patterns/pipeline.tsx'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import type { AddressSource } from '../../../layouts/address/use-sources.ts'
import { TriggerSentence } from '../../../layouts/sentence/trigger-sentence.tsx'
import { useNames } from '../../../layouts/sentence/use-names.ts'
import type { Trigger } from '../model/definition.ts'
import { type LatestRun, runOnLatest } from './run-on-latest.ts'
import { StageDetails } from './stage-details.tsx'
import classes from './trigger.module.css'
import { triggerStages } from './trigger-stages.tsx'

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
