import { parseArgs } from 'node:util'
import type { ChainBlock } from '../server/src/engine/sources/block.ts'
import { evmItems } from '../server/src/engine/sources/evm/raw-items.ts'
import { matchBlock } from '../server/src/runtime/follow/match-block.ts'
import type { TriggerMatches } from '../server/src/runtime/listeners/match-collector.ts'
import { withCalls } from './support/call-blocks.ts'
import { collectGarbage, cpuMsInTurns } from './support/cpu-time.ts'
import { type MeasuredBlock, makeBlock, readBlocks, withLogs } from './support/evm-blocks.ts'
import { type Amounts, firstThousand, mixedFor, triggersFor, walletsFor } from './support/match-entries.ts'
import { makeIndex, type Wanted } from './support/match-registry.ts'
import { printRow } from './support/row.ts'

/**
 * `npm run bench -- match [--blocks DIR] [--all]`: the function that the follow loop calls for each block, from the parsed
 * block to the matches of each trigger. The baseline is JSON.parse of the replies that the service reads for triggers on
 * logs: the block with the hashes of its transactions, and its logs; for triggers on calls, the block with whole
 * transactions, and its receipts. Each turn parses the block again, as a follower does,
 * so that nothing of the block is in the processor's cache. With `--all` it also measures smaller indexes, and indexes
 * where only a thousand subscriptions concern the block and all others name contracts and wallets of another chain.
 */
const { values } = parseArgs({ options: { blocks: { type: 'string' }, all: { type: 'boolean' } } })
const blocks = values.blocks ? readBlocks(values.blocks) : [1, 2, 3].map((seed) => makeBlock(`made ${seed}`, seed))
if (blocks.length === 0) throw new Error(`No folder in ${values.blocks} holds a block.json and a receipts.json`)
const others = [makeBlock('of another chain', 4)]
const logBlocks = blocks.map(withLogs)
const callBlocks = blocks.map((block, index) => withCalls(block, index + 1))
const kinds: Record<Amounts, string> = {
  rare: 'rare amounts',
  common: 'common amounts',
  excepting: 'common amounts, not from one sender',
  verified: 'common amounts, not from a prefix',
  matching: 'common amounts, not from a pattern',
}
/** Patterns are run one by one, so no limit is wanted for them. */
const ratioMaxOf = (amounts: Amounts) => (amounts === 'matching' ? undefined : amounts === 'rare' ? 1 : 3)

for (const { name, blockText, logsText, logs } of blocks)
  console.log(`block ${name}: ${logs.length} logs, ${Math.round((blockText.length + logsText.length) / 1024)} KB`)
for (const amounts of ['rare', 'common', 'excepting', 'verified', 'matching'] as const)
  for (const count of values.all ? [1_000, 10_000, 100_000] : [100_000])
    await report(`triggers, ${kinds[amounts]}`, count, triggersFor(blocks, amounts), ratioMaxOf(amounts))
for (const amounts of ['rare', 'common'] as const)
  for (const count of values.all ? [1_000, 10_000, 100_000] : [100_000])
    await report(
      `triggers, half on calls, ${kinds[amounts]}`,
      count,
      mixedFor(callBlocks, triggersFor(blocks, amounts), amounts),
      amounts === 'rare' ? 0.5 : 3,
      callBlocks,
    )
for (const count of values.all ? [1_000, 10_000, 100_000, 1_000_000] : [1_000_000])
  await report('wallets on one trigger', count, walletsFor(blocks), 1)
for (const count of values.all ? [1_000, 10_000, 100_000] : [])
  for (const amounts of ['common', 'rare'] as const) {
    const want = firstThousand(triggersFor(blocks, amounts), triggersFor(others, amounts))
    await report(`triggers, 1,000 of them here, ${kinds[amounts]}`, count, want)
  }
for (const count of values.all ? [1_000, 10_000, 100_000, 1_000_000] : [])
  await report('wallets, 1,000 of them here', count, firstThousand(walletsFor(blocks), walletsFor(others)))

async function report(
  what: string,
  count: number,
  want: (at: number) => Wanted,
  ratioMax?: number,
  on: readonly MeasuredBlock[] = logBlocks,
): Promise<void> {
  const index = await makeIndex(count, want)
  const match = (block: ChainBlock) => matchBlock(block, evmItems, index)
  await collectGarbage()
  const ratios = on.map((block) => {
    const parse = () => block.texts.map((text) => JSON.parse(text))
    const [parseMs = 1, matchMs = 0] = cpuMsInTurns([() => parse, freshly(block, match)])
    return matchMs / parseMs
  })
  const hits = on.map((block) => countHits(match(block.fresh())))
  printRow({
    what: `matching a block: ${what}`,
    part: count.toLocaleString('en'),
    wanted: ratioMax === undefined ? '–' : `≤ ${ratioMax} ×`,
    seen: `${Math.max(...ratios).toFixed(2)} ×`,
    ...(ratioMax !== undefined && { ok: ratios.every((ratio) => ratio <= ratioMax) }),
    details: `each block: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} ×, ${hits.join(', ')} hits`,
  })
}

function freshly(block: MeasuredBlock, match: (block: ChainBlock) => unknown) {
  return () => {
    const fresh = block.fresh()
    return () => match(fresh)
  }
}

function countHits(matched: readonly TriggerMatches[]): number {
  return matched.flatMap(({ matches }) => matches).reduce((sum, { listeners }) => sum + listeners.length, 0)
}
