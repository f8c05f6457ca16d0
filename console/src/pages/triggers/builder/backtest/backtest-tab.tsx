import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { TriggerSave } from '@tocsin/contract'
import { useState } from 'react'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { issuesIn } from '../../../../forms/issues-in.ts'
import { canonical, type Trigger } from '../../model/definition.ts'
import { kindOf } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import { BacktestOutcome } from './backtest-outcome.tsx'
import { BacktestRange, firstRange, readRange } from './backtest-range.tsx'
import { type Asked, useBacktest } from './use-backtest.ts'

/** How often the trigger would have fired over past blocks. */
export function BacktestTab({ builder, published }: { builder: Builder; published: Trigger | undefined }) {
  const { definition, inputs } = builder.state
  const [range, setRange] = useState(firstRange)
  const [issues, setIssues] = useState<Issue[]>([])
  const backtest = useBacktest()
  const { blocks, problem } = readRange(range)
  const run = (what: Pick<Asked, 'definition' | 'fullname' | 'project'>) =>
    blocks && backtest.start({ ...blocks, ...what, inputs, samples: 10 })
  const runThis = () => {
    const whole = TriggerSave.safeParse(canonical(definition))
    setIssues(whole.success ? [] : issuesIn(TriggerSave, canonical(definition)))
    if (whole.success) run({ definition: whole.data, project: whole.data.project })
  }
  if (!kindOf(definition.triggerSpec))
    return <Text c="dimmed">Only triggers on the blocks of a chain can be run over the past.</Text>
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Runs over past blocks of the source. Nothing is saved or sent; providers are called as they would be.
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
            Compare published and saved draft
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
      {backtest.isBusy && <Going progress={backtest.progress} />}
      <ErrorNotice error={backtest.error} />
      <IssueList title="It cannot be run yet" issues={issues} />
      {backtest.result && <BacktestOutcome result={backtest.result} />}
    </Stack>
  )
}

function Going({ progress }: { progress: ReturnType<typeof useBacktest>['progress'] }) {
  const { checkedBlocks = 0, totalBlocks = 1, fired = 0 } = progress ?? {}
  return (
    <div>
      <Progress value={(100 * checkedBlocks) / totalBlocks} aria-label="Blocks checked" />
      <Text size="sm" c="dimmed" mt={4} role="status">
        {progress ? `${checkedBlocks} of ${totalBlocks} blocks, fired ${fired} times` : 'Starting'}
      </Text>
    </div>
  )
}
