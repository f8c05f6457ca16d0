import { NumberInput, SegmentedControl } from '@mantine/core'
import { backtestBlocksMax } from '@tocsin/contract'

/** The last n blocks, or a range of blocks. Empty fields are undefined. */
export type Range = {
  mode: 'last' | 'between'
  lastBlocks: number | undefined
  fromBlock: number | undefined
  toBlock: number | undefined
}
export const defaultRange: Range = { mode: 'last', lastBlocks: 500, fromBlock: undefined, toBlock: undefined }

type BlockName = 'lastBlocks' | 'fromBlock' | 'toBlock'
const labels: Record<BlockName, string> = { lastBlocks: 'Last blocks', fromBlock: 'From block', toBlock: 'To block' }
const fields: Record<Range['mode'], BlockName[]> = { last: ['lastBlocks'], between: ['fromBlock', 'toBlock'] }

export function BacktestRange({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  return (
    <>
      <SegmentedControl
        aria-label="Block range"
        data={[
          { value: 'last', label: 'Last blocks' },
          { value: 'between', label: 'Range' },
        ]}
        value={value.mode}
        onChange={(mode) => onChange({ ...value, mode })}
      />
      {fields[value.mode].map((name) => (
        <NumberInput
          key={name}
          label={labels[name]}
          min={name === 'lastBlocks' ? 1 : 0}
          {...(name === 'lastBlocks' && { max: backtestBlocksMax })}
          allowDecimal={false}
          hideControls
          w={120}
          value={value[name] ?? ''}
          onChange={(next) => onChange({ ...value, [name]: typeof next === 'number' ? next : undefined })}
        />
      ))}
    </>
  )
}

/** The range for the API, or the problem with it. */
export function readRange({ mode, lastBlocks, fromBlock, toBlock }: Range) {
  if (mode === 'last')
    return lastBlocks === undefined ? { problem: 'Enter a number of blocks.' } : { blocks: { lastBlocks } }
  if (fromBlock === undefined || toBlock === undefined) return { problem: 'Enter the first and the last block.' }
  if (toBlock < fromBlock) return { problem: 'The last block must not be before the first.' }
  if (toBlock - fromBlock >= backtestBlocksMax)
    return {
      problem: `This range has ${(toBlock - fromBlock + 1).toLocaleString('en')} blocks. The maximum is 100,000.`,
    }
  return { blocks: { fromBlock, toBlock } }
}
