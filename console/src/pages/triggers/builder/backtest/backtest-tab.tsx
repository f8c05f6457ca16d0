import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { TriggerSave } from '@tocsin/contract'
import { useState } from 'react'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { issuesIn } from '../../../../forms/issues-in.ts'
import { useSources } from '../../../../layouts/address/use-sources.ts'
import { canonical, type Trigger } from '../../model/definition.ts'
import { kindOf, sourceOf } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import { BacktestOutcome } from './backtest-outcome.tsx'
import { BacktestRange, defaultRange, readRange } from './backtest-range.tsx'
import { type BacktestRequest, useBacktest } from './use-backtest.ts'

/** Runs the trigger over past blocks and counts how often it would have fired. */
export function BacktestTab({ builder, published }: { builder: Builder; published: Trigger | undefined }) {
  const { definition, inputs } = builder.state
  const source = useSources().find(sourceOf(definition.triggerSpec))
  const [range, setRange] = useState(defaultRange)
  const [issues, setIssues] = useState<Issue[]>([])
  const backtest = useBacktest()
  const { blocks, problem } = readRange(range)
  const run = (target: Pick<BacktestRequest, 'definition' | 'fullname' | 'project'>) =>
    blocks && backtest.start({ ...blocks, ...target, inputs, samples: 10 })
  const runThis = () => {
    const parsed = TriggerSave.safeParse(canonical(definition))
    setIssues(parsed.success ? [] : issuesIn(TriggerSave, canonical(definition)))
    if (parsed.success) run({ definition: parsed.data, project: parsed.data.project })
  }
  if (!kindOf(definition.triggerSpec)) return <Text c="dimmed">Only triggers on a chain can be backtested.</Text>
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Runs the trigger over past blocks of the source. Nothing is saved or sent. Providers are called.
      </Text>
      <Group align="flex-end" gap="xs">
        <BacktestRange value={range} onChange={setRange} />
        <Button loading={backtest.isBusy} disabled={problem !== undefined} onClick={runThis}>
          Run this draft
        </Button>
        {published?.hasDraft && (
          <Button
            variant="default"
            disabled={backtest.isBusy || problem !== undefined}
            onClick={() => run({ fullname: definition.fullname })}
          >
            Compare with published version
          </Button>
        )}
        {backtest.isBusy && (
          <Button variant="subtle" color="gray" onClick={backtest.stop}>
            Stop
          </Button>
        )}
      </Group>
      {problem !== undefined && (
        <Text size="sm" c="dimmed" role="status">
          {problem}
        </Text>
      )}
      {backtest.isBusy && <BacktestProgress progress={backtest.progress} />}
      <ErrorNotice error={backtest.error} />
      <IssueList title="The draft has issues" issues={issues} />
      {backtest.result && <BacktestOutcome result={backtest.result} source={source} />}
    </Stack>
  )
}

function BacktestProgress({ progress }: { progress: ReturnType<typeof useBacktest>['progress'] }) {
  const { checkedBlocks = 0, totalBlocks = 1, fired = 0 } = progress ?? {}
  return (
    <div>
      <Progress value={(100 * checkedBlocks) / totalBlocks} aria-label="Blocks checked" />
      <Text size="sm" c="dimmed" mt={4} role="status">
        {progress ? `${checkedBlocks} of ${totalBlocks} blocks, fired ${fired} times` : 'Starting…'}
      </Text>
    </div>
  )
}
