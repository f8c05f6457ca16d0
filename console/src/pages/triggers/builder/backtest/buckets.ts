import type { Bar } from '../../../../charts/bar-chart.tsx'
import type { BacktestResult } from './use-backtest.ts'

type Blocks = NonNullable<BacktestResult['result']>['blocks']
const bucketsMax = 40

/** Groups the blocks into at most 40 bars: how often the published version fired, and the draft if there is one. */
export function bucketsOf({ fromBlock = 0, toBlock = 0, result, draft }: BacktestResult): Bar[] {
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
