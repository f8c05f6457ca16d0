import { NumberInput, SegmentedControl } from '@mantine/core'

export const blocksMax = 10_000
/** The last so many blocks, or from one block to another; what is not filled in yet is undefined. */
export type Range = {
  way: 'last' | 'between'
  lastBlocks: number | undefined
  fromBlock: number | undefined
  toBlock: number | undefined
}
export const firstRange: Range = { way: 'last', lastBlocks: 500, fromBlock: undefined, toBlock: undefined }

type BlockName = 'lastBlocks' | 'fromBlock' | 'toBlock'
const labels: Record<BlockName, string> = { lastBlocks: 'Last blocks', fromBlock: 'From block', toBlock: 'To block' }
const asked: Record<Range['way'], BlockName[]> = { last: ['lastBlocks'], between: ['fromBlock', 'toBlock'] }

export function BacktestRange({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  return (
    <>
      <SegmentedControl
        aria-label="Which blocks"
        data={[
          { value: 'last', label: 'Last blocks' },
          { value: 'between', label: 'From – to' },
        ]}
        value={value.way}
        onChange={(way) => onChange({ ...value, way })}
      />
      {asked[value.way].map((name) => (
        <NumberInput
          key={name}
          label={labels[name]}
          min={name === 'lastBlocks' ? 1 : 0}
          {...(name === 'lastBlocks' && { max: blocksMax })}
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

/** The range as the service takes it, or what is wrong with it. */
export function readRange({ way, lastBlocks, fromBlock, toBlock }: Range) {
  if (way === 'last') return lastBlocks === undefined ? { problem: 'Say how many blocks.' } : { blocks: { lastBlocks } }
  if (fromBlock === undefined || toBlock === undefined) return { problem: 'Say from which block to which.' }
  if (toBlock < fromBlock) return { problem: 'The last block lies before the first.' }
  if (toBlock - fromBlock >= blocksMax)
    return { problem: `That is ${(toBlock - fromBlock + 1).toLocaleString('en')} blocks: 10,000 is the most at once.` }
  return { blocks: { fromBlock, toBlock } }
}
