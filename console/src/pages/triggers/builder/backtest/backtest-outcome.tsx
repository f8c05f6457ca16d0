import { Stack, Text } from '@mantine/core'
import { BarChart } from '../../../../charts/bar-chart.tsx'
import { Details } from '../../../../components/details.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { Facts } from '../../../../components/page.tsx'
import { AddressJson } from '../../../../layouts/address/address-json.tsx'
import type { AddressSource } from '../../../../layouts/address/use-sources.ts'
import { bucketsOf } from './buckets.ts'
import type { BacktestResult } from './use-backtest.ts'

type BacktestOutcomeProps = { result: BacktestResult; source: AddressSource | undefined }

export function BacktestOutcome({ result: outcome, source }: BacktestOutcomeProps) {
  const { valid, issues, result, draft, difference, fromBlock, toBlock, checkedBlocks } = outcome
  if (!valid || !result) return <IssueList title="The backtest could not run" issues={issues} />
  const fired = draft ? `${result.fired} published, ${draft.fired} draft` : String(result.fired)
  return (
    <Stack gap="md">
      <Facts
        facts={[
          ['Blocks', `${fromBlock}–${toBlock} (${checkedBlocks})`],
          ['Matched', result.matched],
          ['Fired', fired],
          ['Failed', result.failed],
        ]}
      />
      <BarChart
        label={`Fired in ${checkedBlocks} blocks: ${fired}`}
        bars={bucketsOf(outcome)}
        barName="Blocks"
        names={draft ? ['Published', 'Draft'] : ['Fired']}
      />
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
