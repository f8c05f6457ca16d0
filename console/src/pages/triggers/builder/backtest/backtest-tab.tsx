import { Button, Group, List, Progress, Select, Stack, Text } from '@mantine/core'
import { type Issue, TriggerSave } from '@tocsin/contract'
import { useState } from 'react'
import { type Bar, BarChart } from '../../../../charts/bar-chart.tsx'
import { Details } from '../../../../components/details.tsx'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { Facts } from '../../../../components/page.tsx'
import { issuesIn } from '../../../../forms/issues-in.ts'
import { AddressJson } from '../../../../layouts/address/address-json.tsx'
import { type AddressSource, useSources } from '../../../../layouts/address/use-sources.ts'
import {
  checkPolicy,
  everyMatch,
  type PolicyDraft,
  policyOf,
  policyTypes,
} from '../../../../layouts/policy/policy-draft.ts'
import { PolicyInputs } from '../../../../layouts/policy/policy-inputs.tsx'
import { canonical, type Trigger } from '../../model/definition.ts'
import { kindOf, sourceOf } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import { BacktestRange, defaultRange, readRange } from './backtest-range.tsx'
import { type BacktestRequest, type BacktestResult, type Estimate, useBacktest } from './use-backtest.ts'

/** Runs the trigger over past blocks and counts how often it would have fired. */
export function BacktestTab({ builder, published }: { builder: Builder; published: Trigger | undefined }) {
  const { definition, inputs } = builder.state
  const source = useSources().find(sourceOf(definition.triggerSpec))
  const [range, setRange] = useState(defaultRange)
  const [policy, setPolicy] = useState(everyMatch)
  const [issues, setIssues] = useState<Issue[]>([])
  const backtest = useBacktest()
  const { blocks, problem = policyProblem(policy) } = readRange(range)
  const run = (target: Pick<BacktestRequest, 'definition' | 'fullname' | 'project'>) =>
    blocks && backtest.start({ ...blocks, ...target, ...policyBody(policy), inputs, samples: 10 })
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
      <PolicyRow policy={policy} onChange={setPolicy} />
      {problem !== undefined && (
        <Text size="sm" c="dimmed" role="status">
          {problem}
        </Text>
      )}
      {backtest.estimate && <Cost estimate={backtest.estimate} onRun={backtest.confirm} />}
      {backtest.isBusy && <BacktestProgress progress={backtest.progress} />}
      <ErrorNotice error={backtest.error} />
      <IssueList title="The draft has issues" issues={issues} />
      {backtest.result && <BacktestOutcome result={backtest.result} source={source} />}
    </Stack>
  )
}

/** What a long backtest costs, before it is run. */
function Cost({ estimate, onRun }: { estimate: Estimate; onRun: () => void }) {
  const { blocks, requests, byRange, providers } = estimate
  const rest = byRange ? ', and some for each block with a match' : ''
  const reads = providers > 0 ? ` The providers make ${providers} for each item that matches.` : ''
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {blocks.toLocaleString('en')} blocks take about {requests.toLocaleString('en')} requests to the nodes{rest}.
        {reads}
      </Text>
      <Button size="xs" onClick={onRun}>
        Run it
      </Button>
    </Group>
  )
}

/** The policy of a subscription. With it, alerts are counted instead of matches. */
function PolicyRow({ policy, onChange }: { policy: PolicyDraft; onChange: (policy: PolicyDraft) => void }) {
  const errorOf = (name: string) => checkPolicy(policy).find(({ path }) => path === name)?.message
  return (
    <Group align="flex-end" gap="xs">
      <Select
        label="Policy"
        data={policyTypes}
        value={policy.type}
        allowDeselect={false}
        w={160}
        onChange={(type) => {
          const chosen = policyTypes.find(({ value }) => value === type)
          if (chosen) onChange({ ...policy, type: chosen.value })
        }}
      />
      <PolicyInputs draft={policy} onChange={onChange} errorOf={errorOf} isRow />
    </Group>
  )
}

function policyProblem(policy: PolicyDraft): string | undefined {
  return checkPolicy(policy).length > 0 ? 'Fill in the policy.' : undefined
}

function policyBody(policy: PolicyDraft): Pick<BacktestRequest, 'policy'> {
  const chosen = policyOf(policy)
  return chosen ? { policy: chosen } : {}
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

type BacktestOutcomeProps = { result: BacktestResult; source: AddressSource | undefined }

function BacktestOutcome({ result: outcome, source }: BacktestOutcomeProps) {
  const { valid, issues, result, draft, difference, fromBlock, toBlock, checkedBlocks } = outcome
  if (!valid || !result) return <IssueList title="The backtest could not run" issues={issues} />
  const fired = draft ? `${result.fired} published, ${draft.fired} draft` : String(result.fired)
  const resolved: [string, number][] = result.resolved === undefined ? [] : [['Resolved', result.resolved]]
  return (
    <Stack gap="md">
      <Facts
        facts={[
          ['Blocks', `${fromBlock}–${toBlock} (${checkedBlocks})`],
          ['Matched', result.matched],
          ['Fired', fired],
          ...resolved,
          ['Failed', result.failed],
        ]}
      />
      <BarChart
        label={`Fired in ${checkedBlocks} blocks: ${fired}`}
        bars={bucketsOf(outcome)}
        barName="Blocks"
        names={draft ? ['Published', 'Draft'] : ['Fired']}
      />
      <PastAlerts alerts={(draft ?? result).alerts ?? []} />
      {difference && <Difference difference={difference} />}
      <IssueList title="Errors" issues={[...result.issues, ...(draft?.issues ?? [])]} />
      {(draft ?? result).samples.map(({ block, raw, human }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block may contain several
        <Details key={at} summary={`Fired in block ${block}`}>
          <AddressJson value={{ raw, human }} label="output" maxHeight={220} source={source} />
        </Details>
      ))}
    </Stack>
  )
}

const shownAlerts = 20

/** What the policy would have told, the newest first. */
function PastAlerts({ alerts }: { alerts: NonNullable<NonNullable<BacktestResult['result']>['alerts']> }) {
  if (alerts.length === 0) return null
  return (
    <List size="sm" aria-label="Alerts of the policy">
      {alerts.slice(0, shownAlerts).map(({ state, at, block, key, policy }) => (
        <List.Item key={`${at} ${state} ${key}`}>
          {state === 'resolved' ? 'Resolved' : 'Fired'} {new Date(at).toLocaleString()}
          {block !== null && `, block ${block}`}
          {key !== undefined && `, ${key}`}
          {policy?.value !== undefined && `, value ${policy.value}`}
        </List.Item>
      ))}
      {alerts.length > shownAlerts && <List.Item>and {alerts.length - shownAlerts} earlier ones</List.Item>}
    </List>
  )
}

function Difference({ difference }: { difference: NonNullable<BacktestResult['difference']> }) {
  const { onlyPublished, onlyDraft } = difference
  if (onlyPublished.length + onlyDraft.length === 0)
    return <Text size="sm">Published version and draft fire in the same blocks.</Text>
  return (
    <Text size="sm">
      Only the published version fires in {blockList(onlyPublished)}. Only the draft fires in {blockList(onlyDraft)}.
    </Text>
  )
}

function blockList(blocks: number[]): string {
  if (blocks.length === 0) return 'no block'
  const shown = blocks.slice(0, 8).join(', ')
  return blocks.length > 8 ? `${shown} and ${blocks.length - 8} more` : shown
}

type Blocks = NonNullable<BacktestResult['result']>['blocks']
const bucketsMax = 40

/** Groups the blocks into at most 40 bars: how often the published version fired, and the draft if there is one. */
function bucketsOf({ fromBlock = 0, toBlock = 0, result, draft }: BacktestResult): Bar[] {
  const total = toBlock - fromBlock + 1
  const size = Math.max(1, Math.ceil(total / bucketsMax))
  const count = Math.ceil(total / size)
  const first = sums(result?.blocks ?? [], fromBlock, size, count)
  const second = draft && sums(draft.blocks, fromBlock, size, count)
  return first.map((fired, at) => {
    const from = fromBlock + at * size
    const to = Math.min(from + size - 1, toBlock)
    const label = from === to ? `Block ${from}` : `Blocks ${from}–${to}`
    return { label, values: second ? [fired, second[at] ?? 0] : [fired] }
  })
}

function sums(blocks: Blocks, from: number, size: number, count: number): number[] {
  const found = Array<number>(count).fill(0)
  for (const { number, fired } of blocks) {
    const at = Math.floor((number - from) / size)
    found[at] = (found[at] ?? 0) + fired
  }
  return found
}
