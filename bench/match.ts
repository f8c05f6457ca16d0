import { parseArgs } from 'node:util'
import { collectGarbage, cpuMs, cpuMsInTurns } from './support/cpu-time.ts'
import { type EvmBlock, freshBlock, makeBlock, readBlocks } from './support/evm-blocks.ts'
import { makeIndex, matchBlock, transferEvent } from './support/match-block.ts'
import { firstThousand, triggersFor, walletsFor } from './support/match-entries.ts'

/**
 * `npm run bench -- match [--blocks DIR]`: finding, decoding and verifying what concerns anybody in a block, against
 * JSON.parse of that block with its logs, in one run. Each first with the same block again and again, as both are
 * mostly measured; then in turns, each block parsed anew, as a follower has it: memory is cold then. How much there is
 * to find grows with the triggers; to see what their number alone costs, at last the same thousand concern the blocks
 * and all others those of another chain.
 */
const { values } = parseArgs({ options: { blocks: { type: 'string' } } })
const blocks = values.blocks ? readBlocks(values.blocks) : [1, 2, 3].map((seed) => makeBlock(`made ${seed}`, seed))
if (blocks.length === 0) throw new Error(`No folder in ${values.blocks} holds a block.json and a receipts.json`)

for (const { name, blockText, logsText, logs } of blocks)
  console.log(`block ${name}: ${logs.length} logs, ${Math.round((blockText.length + logsText.length) / 1024)} KB`)
for (const amounts of ['common', 'excepting', 'verified', 'rare'] as const)
  for (const count of [1_000, 10_000, 100_000]) {
    const index = await makeIndex(count, triggersFor(blocks, amounts))
    await report(`${count} triggers, amounts ${amounts}`, (block) => matchBlock(block, index))
  }
const wallet = walletsFor(blocks, transferEvent)
for (const count of [1_000, 10_000, 100_000, 1_000_000]) {
  const index = await makeIndex(count, wallet)
  await report(`${count} wallets on one Transfer trigger`, (block) => matchBlock(block, index))
}

const otherChain = [makeBlock('of another chain', 4)]
for (const amounts of ['common', 'rare'] as const)
  for (const count of [1_000, 10_000, 100_000]) {
    const want = firstThousand(triggersFor(blocks, amounts), triggersFor(otherChain, amounts))
    const index = await makeIndex(count, want)
    await report(`1000 triggers, amounts ${amounts}, and ${count - 1_000} elsewhere`, (block) =>
      matchBlock(block, index),
    )
  }
for (const count of [1_000, 10_000, 100_000, 1_000_000]) {
  const index = await makeIndex(count, firstThousand(wallet, walletsFor(otherChain, transferEvent)))
  await report(`1000 wallets and ${count - 1_000} elsewhere`, (block) => matchBlock(block, index))
}

async function report(what: string, match: (block: ReturnType<typeof freshBlock>) => number): Promise<void> {
  await collectGarbage()
  const ratios = blocks.map((block) => {
    const parse = () => [JSON.parse(block.blockText), JSON.parse(block.logsText)]
    const same = freshBlock(block)
    const again = cpuMs(() => match(same)) / cpuMs(parse)
    const [parseMs = 1, matchMs = 0] = cpuMsInTurns([() => parse, freshly(block, match)])
    return `${again.toFixed(2)} × (anew ${(matchMs / parseMs).toFixed(2)} ×; ${match(same)} found)`
  })
  console.log(`${what}: ${ratios.join(', ')}`)
}

function freshly(block: EvmBlock, match: (block: ReturnType<typeof freshBlock>) => number) {
  return () => {
    const fresh = freshBlock(block)
    return () => match(fresh)
  }
}
